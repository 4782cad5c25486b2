package hauberk.soc

/** Command line: of the arguments, which are configurations or fragments, prints those that are none, each as `name TAB sentence`. */
object CheckConfigs {
  def main(arguments: Array[String]): Unit = for {
    name <- arguments
    sentence <- KnownConfigs.misnamed(name)
  } println(s"$name\t$sentence")
}
