// Functions that Swift cannot call: variadic ioctls, and libraries loaded at the first use, so that one
// binary runs with either generation of libgpiod, or without. The only state between calls are the
// libraries' handles. Functions that return int return a negative errno on failure.
#ifndef LODESTAR_CLINUXBUS_H
#define LODESTAR_CLINUXBUS_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// --- clocks

/// Nanoseconds of CLOCK_MONOTONIC.
uint64_t linuxbus_monotonic(void);
/// Nanoseconds of CLOCK_REALTIME.
uint64_t linuxbus_realtime(void);
/// The kernel's estimate of CLOCK_REALTIME's largest error, microseconds (adjtimex's maxerror); -ENODATA
/// if the clock is not synchronised.
long linuxbus_realtime_error(void);
/// Sleeps until CLOCK_MONOTONIC shows the deadline; signals do not end it.
void linuxbus_sleep_until(uint64_t deadline);
/// Polls until something is ready or CLOCK_MONOTONIC shows the deadline; signals do not end it.
/// Returns the number of ready descriptors; polls once if the deadline has already passed.
int linuxbus_poll(struct pollfd *descriptors, unsigned count, uint64_t deadline);

// --- memory

/// Removes the pages of code and constants of the program and its libraries from the process's resident memory. The
/// kernel keeps them in its page cache and maps those that are used again. Returns the bytes of the segments, 0 while the
/// process is traced.
size_t linuxbus_release_code(void);

/// Lets all threads allocate from one heap, with glibc. To be called before a second thread starts.
void linuxbus_use_one_heap(void);

// --- programs

/// A descriptor of a child that is the same as this process's, and one that is the null device; -1 is a closed file.
enum { LINUXBUS_SPAWN_INHERITED = -2, LINUXBUS_SPAWN_NULL = -3 };

/// Starts a program with its path, arguments and environment (both end with NULL), in a folder (NULL for the present one).
/// `files` are its descriptors 0 to 2; it has no other one, no blocked signal and the default effect of all signals.
/// Returns its process identifier.
int linuxbus_spawn(
    const char *program, char *const arguments[], char *const variables[], const char *folder,
    const int files[3], bool has_own_group);

/// Makes a pipe whose ends a child does not inherit: [0] for reading, [1] for writing.
/// - returns: 0, or the negative error number.
int linuxbus_pipe(int ends[2]);

/// Starts a detached thread that calls `body` once with `argument`.
/// - name: what `ps` and debuggers show; cut after 15 bytes
/// - returns: 0, or the negative error number; `body` is not called then.
int linuxbus_start_thread(const char *name, void (*body)(void *argument), void *argument);

// --- the shared memory of ntpd's reference clock 28

/// Attaches the segment of a unit, which is made where it does not exist: mode 0600 for units 0 and 1, else 0666.
/// NULL on failure; then `error` has the errno.
void *linuxbus_shared_clock_open(int unit, int *error);
/// Detaches a segment.
void linuxbus_shared_clock_close(void *segment);
/// Stores a sample: the reference's time and the system clock at one instant, nanoseconds since 1970, not negative;
/// `precision` is a power of two, seconds.
void linuxbus_shared_clock_store(void *segment, int64_t reference, int64_t system, int precision);

// --- I2C: the kernel's own calls

/// The adapter's I2C_FUNC_ bits; -ENOTTY where the file is no I2C bus.
int linuxbus_i2c_functions(int file, unsigned long *functions);
/// I2C_SLAVE: -EBUSY where a kernel driver owns the address.
int linuxbus_i2c_claim(int file, uint8_t address);
/// One transfer: the register's number, a repeated start, the bytes.
int linuxbus_i2c_read(int file, uint8_t address, uint8_t reg, uint8_t *bytes, uint16_t count);
/// One transfer: the register's number, then the bytes, at most LINUXBUS_I2C_WRITE_LIMIT.
int linuxbus_i2c_write(int file, uint8_t address, uint8_t reg, const uint8_t *bytes, uint16_t count);
/// One transfer: the bytes, without a register number.
int linuxbus_i2c_receive(int file, uint8_t address, uint8_t *bytes, uint16_t count);
/// i2c-dev accepts 8192 bytes in a message, including the register's number.
#define LINUXBUS_I2C_WRITE_LIMIT 8191

// --- SPI, by spidev. All return 0 or a negative errno.

/// Sets CPHA and CPOL, the bits a word and the greatest clock, and reads them back; -EINVAL where they differ.
int linuxbus_spi_set(int file, uint32_t mode, uint8_t bits, uint32_t hertz);
/// Sends and receives in one selection of the chip; the received bytes replace those sent.
int linuxbus_spi_exchange(int file, uint8_t *bytes, uint32_t count, uint32_t hertz);
/// The kernel's structure of such a transfer, for tests.
void linuxbus_spi_message(void *message, uint8_t *bytes, uint32_t count, uint32_t hertz);
enum { LINUXBUS_SPI_MESSAGE_SIZE = 32 };

// --- SMBus, through libi2c. All return the value or the count, or a negative errno.

/// Whether libi2c could be loaded.
bool linuxbus_smbus_load(void);
int linuxbus_smbus_read_byte(int file);
int linuxbus_smbus_write_byte(int file, uint8_t value);
int linuxbus_smbus_read_byte_data(int file, uint8_t command);
int linuxbus_smbus_write_byte_data(int file, uint8_t command, uint8_t value);
int linuxbus_smbus_read_word_data(int file, uint8_t command);
int linuxbus_smbus_write_word_data(int file, uint8_t command, uint16_t value);
/// At most `count` bytes, also where the adapter returns more.
int linuxbus_smbus_read_block(int file, uint8_t command, uint8_t count, uint8_t *bytes);
/// libi2c's i2c_smbus_read_i2c_block_data: it may write UINT8_MAX bytes.
typedef int32_t (*linuxbus_smbus_block_reader)(int file, uint8_t command, uint8_t count, uint8_t *bytes);
/// The same with another function than libi2c's, for tests.
int linuxbus_smbus_read_block_by(
    linuxbus_smbus_block_reader read, int file, uint8_t command, uint8_t count, uint8_t *bytes);
int linuxbus_smbus_write_block(int file, uint8_t command, uint8_t count, const uint8_t *bytes);

// --- GPIO, through libgpiod of either generation

enum linuxbus_gpio_mode {
  LINUXBUS_GPIO_INPUT,
  LINUXBUS_GPIO_OUTPUT_LOW,
  LINUXBUS_GPIO_OUTPUT_HIGH,
  LINUXBUS_GPIO_RISING,
  LINUXBUS_GPIO_FALLING,
  LINUXBUS_GPIO_BOTH,
};

/// A requested line; used from one thread.
struct linuxbus_gpio_line;

struct linuxbus_gpio_edge {
  /// Nanoseconds of the clock that the kernel stamps edges with.
  uint64_t stamp;
  bool is_rising;
};

/// The loaded generation of libgpiod's interface: 2, 1, or 0 for none.
int linuxbus_gpio_library(void);
/// The offset of a line by its name; -ENOENT if the chip has none.
int linuxbus_gpio_find(const char *chip, const char *name);
/// Requests a line. On -EBUSY its owner's name, if known, is copied into `owner`.
int linuxbus_gpio_request(
    const char *chip, unsigned offset, enum linuxbus_gpio_mode mode, const char *consumer,
    struct linuxbus_gpio_line **line, char *owner, unsigned owner_size);
void linuxbus_gpio_release(struct linuxbus_gpio_line *line);
/// 1 high, 0 low.
int linuxbus_gpio_get(struct linuxbus_gpio_line *line);
int linuxbus_gpio_set(struct linuxbus_gpio_line *line, bool high);
/// The descriptor; readable while edges are queued.
int linuxbus_gpio_descriptor(struct linuxbus_gpio_line *line);
/// Reads the oldest edge; waits for one if none is queued. Allocates nothing.
int linuxbus_gpio_read(struct linuxbus_gpio_line *line, struct linuxbus_gpio_edge *edge);

// --- serial ports

/// TIOCEXCL: further attempts to open the port fail, except the superuser's.
int linuxbus_serial_exclude(int file);
/// TIOCNXCL.
int linuxbus_serial_admit(int file);
/// Opens a new pseudo-terminal, which does not block; its other end is /dev/pts/NUMBER.
int linuxbus_terminal_open(int *number);

// --- sockets

/// Accepts a waiting client; its descriptor does not block and is closed in programs that are started.
int linuxbus_accept(int listener);

enum { LINUXBUS_CAN_MOST_FILTERS = 32 };
/// Opens a raw socket at a CAN interface for the frames of 29-bit identifiers that match one of the filters in the bits of
/// its mask. Its descriptor does not block and is closed in programs that are started.
int linuxbus_can_open(const char *interface, const uint32_t *identifiers, const uint32_t *masks, unsigned count);

// --- pulses per second

struct linuxbus_pps {
  uint32_t assert_sequence, clear_sequence;
  /// Nanoseconds since 1970, of CLOCK_REALTIME.
  int64_t assert_time, clear_time;
};

/// PPS_FETCH: the next pulse within `timeout` nanoseconds, or -ETIMEDOUT; 0 returns the last one at once.
int linuxbus_pps_fetch(int file, uint64_t timeout, struct linuxbus_pps *pulse);

#endif
