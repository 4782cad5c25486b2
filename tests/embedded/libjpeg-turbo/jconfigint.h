// In place of the file of libjpeg-turbo's build, for this compiler.
#include <sys/cdefs.h>  // picolibc has a FALLTHROUGH without the semicolon there

#define BUILD "hauberk"
#define INLINE __inline__ __attribute__((always_inline))
#define THREAD_LOCAL
#define PACKAGE_NAME "libjpeg-turbo"
#define VERSION "2.1.5"
#define SIZEOF_SIZE_T 8
#define HAVE_BUILTIN_CTZL
#undef FALLTHROUGH
#define FALLTHROUGH __attribute__((fallthrough));
