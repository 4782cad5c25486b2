# For scripts of bash, which source it first: their head is their --help, and neither CDPATH nor a missing HOME leads them elsewhere.
unset CDPATH
[ -n "${HOME:-}" ] || { unset HOME; HOME=~; export HOME; }
case ${1:-} in
  -h | --help)
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
    exit
    ;;
esac
