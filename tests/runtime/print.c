#include <stdarg.h>

#include "hauberk.h"
#include "internal.h"

#ifdef HTIF
static void print_character(char character) { htif_send(HTIF_CONSOLE | (uint8_t)character); }
#elif !defined(HOSTED)
#define UART_TRANSMIT (UART_BASE + 0)
#define UART_LINE_STATUS (UART_BASE + 5)
#define UART_TRANSMIT_EMPTY 0x20

static void print_character(char character) {
  while (!(*(volatile uint8_t *)UART_LINE_STATUS & UART_TRANSMIT_EMPTY)) {
  }
  *(volatile uint8_t *)UART_TRANSMIT = (uint8_t)character;
}
#endif

static void print_text(const char *text) {
  while (*text) print_character(*text++);
}

static void print_number(uint64_t value, unsigned base, unsigned width, char padding) {
  char digits[20];
  unsigned count = 0;
  do {
    digits[count++] = "0123456789abcdef"[value % base];
    value /= base;
  } while (value);
  for (; width > count; width--) print_character(padding);
  while (count) print_character(digits[--count]);
}

// Of printf: %c %s %u %x %lu %lx %%, each number with an optional width, zero-padded when the width starts with 0.
void print(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  for (; *format; format++) {
    if (*format != '%') {
      print_character(*format);
      continue;
    }
    char padding = *++format == '0' ? '0' : ' ';
    unsigned width = 0;
    for (; *format >= '0' && *format <= '9'; format++) width = 10 * width + (unsigned)(*format - '0');
    bool is_long = *format == 'l';
    if (is_long) format++;
    switch (*format) {
      case 'c':
        print_character((char)va_arg(arguments, int));
        break;
      case 's':
        print_text(va_arg(arguments, const char *));
        break;
      case 'u':
      case 'x': {
        uint64_t value = is_long ? va_arg(arguments, uint64_t) : va_arg(arguments, unsigned);
        print_number(value, *format == 'u' ? 10 : 16, width, padding);
        break;
      }
      default:
        print_character(*format);
    }
  }
  va_end(arguments);
}
