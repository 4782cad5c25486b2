package org.chipsalliance.diplomacy

/** Where current Rocket Chip has the nodes of diplomacy. */
package object nodes {
  type BaseNode = freechips.rocketchip.diplomacy.BaseNode
}
