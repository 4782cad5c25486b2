// What BearSSL takes from a C library.
#ifndef HAUBERK_LIBRARY_STRING_H
#define HAUBERK_LIBRARY_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
int memcmp(const void *left, const void *right, size_t size);
size_t strlen(const char *text);

#endif
