// In place of the file that libjpeg-turbo makes of its list of authors. Nothing here prints it.
#define JVERSION "6b  27-Mar-1998"
#define JCOPYRIGHT "see libjpeg-turbo's LICENSE.md"
#define JCOPYRIGHT_SHORT JCOPYRIGHT
