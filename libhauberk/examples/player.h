// What a player and hauberk-player owe each other: memory that both see.
#ifndef LIBHAUBERK_PLAYER_H
#define LIBHAUBERK_PLAYER_H

#define PLAYER_LINE 2048
typedef struct {
  char line[PLAYER_LINE];
} player_shared;

// tee_main of a player gives how often it played, or this: it could not ask.
#define PLAYER_FAILED (-200)

#endif
