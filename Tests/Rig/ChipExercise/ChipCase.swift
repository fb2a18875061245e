import Chips
import LinuxIO

/// A chip with the kernel driver that it is compared with.
struct ChipCase {
  var model: ChipModel
  /// The text written to `new_device`; of a chip of the device tree the name of its driver.
  var kernelName: String
  /// Whether the device is in the device tree.
  var isInTree = false
  /// Whether the driver gives no single values while its buffer is in use, as our reader has it.
  var keepsFIFO = false
  var address: UInt8
  /// A bit of register numbers to ignore.
  var mirror: UInt8 = 0
  /// Registers after power-on, as far as the driver looks at them.
  var powerOn: [(UInt8, [UInt8])]
  /// A rate to set in the kernel's devices of the chip, so that its reads do not wait for seconds:
  /// attribute and text.
  var rate: (String, String)?
  var quantities: [AxesCase] = []
}

typealias B = LinuxI2CBus

var chips: [ChipCase] {
  [
    hmc5883l, lsm303dlhcMagnetometer, lis3mdl, lis2mdl, lsm9ds1Magnetometer, ak8963, ak09916,
    lsm303dlhcAccelerometer, lsm303agrAccelerometer, lsm9ds1Inertial,
    mpu(.mpu6050, "mpu6050", 0x68), mpu(.mpu6500, "mpu6500", 0x70), mpu9250,
    mpu(.icm20602, "icm20602", 0x12), mpu(.icm20608, "icm20608", 0xAF),
    mpu(.icm20689, "icm20689", 0x98),
    gyroscope(.l3g4200d, "l3g4200d", 0xD3), gyroscope(.l3gd20, "l3gd20", 0xD4),
    gyroscope(.l3gd20h, "l3gd20h", 0xD7),
    lsm6ds(.lsm6ds3, "lsm6ds3", rate: "416"), lsm6ds(.lsm6ds3trc, "lsm6ds3tr-c", rate: "416"),
    lsm6ds(.lsm6dso, "lsm6dso", rate: "416"),
    lsm6ds(.ism330dhcx, "ism330dhcx", rate: "416"), lsm6ds(.lsm6dsv, "lsm6dsv", rate: "480"),
    bmi160,
  ]
}

/// Those of the second guest.
var furtherChips: [ChipCase] {
  [mag3110, bmx055Accelerometer, bmx055Gyroscope, fxos8700, fxas21002]
}

/// Those of the i.MX8: with an interrupt or matched by a device tree only, or read by more than
/// SMBus.
var treeChips: [ChipCase] { [icm42688p, icm42605, adxl345, itg3205, rm3100] }

var hmc5883l: ChipCase {
  ChipCase(
    model: .hmc5883l, kernelName: "hmc5883l", address: 0x1E,
    powerOn: [(0x00, [0x10, 0x20, 0x01]), (0x09, [0x01, 0x48, 0x34, 0x33])],
    rate: ("in_magn_sampling_frequency", "75.0"),
    quantities: [
      AxesCase(
        stem: "in_magn", register: 0x03, bytes: { bigEndian($0.x, $0.z, $0.y) }, perABIUnit: 100,
        kernelScaleTimes: 100, wordBits: 12, isSaturated: { $0 == -4096 },
        measured: -2048...2047,
        ranges: HMC5883L<B>.Range.allCases.map { range in
          RangeCase(bits: (0x01, 0xE0, range.rawValue << 5)) {
            HMC5883L<B>.decode($0, at: 0, range: range).components
          }
        })
    ])
}

var lsm303dlhcMagnetometer: ChipCase {
  ChipCase(
    model: .lsm303dlhcMagnetometer, kernelName: "lsm303dlhc_magn", address: 0x1E,
    powerOn: [(0x00, [0x10, 0x20, 0x03]), (0x09, [0x01, 0x48, 0x34, 0x33]), (0x0F, [0x3C])],
    rate: ("sampling_frequency", "220"),
    quantities: [
      AxesCase(
        stem: "in_magn", register: 0x03, bytes: { bigEndian($0.x, $0.z, $0.y) }, perABIUnit: 100,
        wordBits: 12, isSaturated: { $0 == -4096 }, measured: -2048...2047,
        ranges: LSM303DLHCMagnetometer<B>.Range.allCases.map { range in
          RangeCase(bits: (0x01, 0xE0, range.rawValue << 5)) {
            LSM303DLHCMagnetometer<B>.decode($0, at: 0, range: range).components
          }
        })
    ])
}

var lis3mdl: ChipCase {
  ChipCase(
    model: .lis3mdl, kernelName: "lis3mdl", address: 0x1C, mirror: 0x80,
    powerOn: [(0x0F, [0x3D]), (0x20, [0x10, 0x00, 0x03, 0x00, 0x00]), (0x27, [0x0F])],
    rate: ("sampling_frequency", "80"),
    quantities: [
      AxesCase(
        stem: "in_magn", register: 0x28, bytes: littleEndian, perABIUnit: 100,
        ranges: LIS3MDL<B>.Range.allCases.map { range in
          RangeCase(bits: (0x21, 0x60, range.rawValue)) {
            LIS3MDL<B>.decode($0, at: 0, range: range).components
          }
        })
    ])
}

var lis2mdl: ChipCase {
  ChipCase(
    model: .lis2mdl, kernelName: "lis2mdl", address: 0x1E,
    powerOn: [(0x4F, [0x40]), (0x60, [0x03, 0x00, 0x00]), (0x67, [0x0F])],
    rate: ("sampling_frequency", "100"),
    quantities: [
      AxesCase(
        stem: "in_magn", register: 0x68, bytes: littleEndian, perABIUnit: 100,
        ranges: [RangeCase { LIS2MDL<B>.decode($0, at: 0).components }])
    ])
}

/// Its counts have 24 bits, of which the patterns fill 16, ±437 microtesla. The driver counts 200
/// cycles.
var rm3100: ChipCase {
  ChipCase(
    model: .rm3100, kernelName: "rm3100-i2c", isInTree: true, address: 0x20,
    powerOn: [(0x0B, [0x96]), (0x34, [0x80])],
    quantities: [
      AxesCase(
        stem: "in_magn", register: 0x24,
        bytes: { words in
          [words.x, words.y, words.z].flatMap {
            [UInt8(truncatingIfNeeded: $0 >> 15)] + bigEndian($0)
          }
        }, perABIUnit: 100, measured: -32_768...32_767,
        ranges: [
          RangeCase(bits: (0x05, 0xFF, RM3100<B>.CycleCount.fine.rawValue)) {
            RM3100<B>.decode($0, at: 0, cycleCount: .fine).components
          }
        ])
    ])
}

/// The driver waits for the three axes' bits of new data, and for the standby of SYSMOD.
var mag3110: ChipCase {
  ChipCase(
    model: .mag3110, kernelName: "mag3110", address: 0x0E,
    powerOn: [(0x00, [0x0F]), (0x07, [0xC4, 0])],
    quantities: [
      AxesCase(
        stem: "in_magn", register: 0x01, bytes: { bigEndian($0.x, $0.y, $0.z) }, perABIUnit: 100,
        ranges: [RangeCase { MAG3110<B>.decode($0, at: 0).components }])
    ])
}

/// The kernel reads adjustments of a fuse ROM that the AK09916 does not have; 128 is none.
var ak09916: ChipCase {
  ChipCase(
    model: .ak09916, kernelName: "ak09916", address: 0x0C,
    powerOn: [(0x00, [0x48, 0x09]), (0x10, [0x01]), (0x18, [0x00]), (0x60, [128, 128, 128])],
    quantities: [
      AxesCase(
        stem: "in_magn", register: 0x11, bytes: littleEndian, perABIUnit: 100,
        kernelLimit: 32_752, measured: -32_751...32_751,
        ranges: [RangeCase { AK09916<B>.decode($0, at: 0).components }])
    ])
}

/// The kernel and we give this part the LIS3MDL's sensitivities.
var lsm9ds1Magnetometer: ChipCase {
  ChipCase(
    model: .lsm9ds1Magnetometer, kernelName: "lsm9ds1_magn", address: 0x1C, mirror: 0x80,
    powerOn: [(0x0F, [0x3D]), (0x20, [0x10, 0x00, 0x03, 0x00, 0x00]), (0x27, [0x0F])],
    rate: ("sampling_frequency", "80"),
    quantities: [
      AxesCase(
        stem: "in_magn", register: 0x28, bytes: littleEndian, perABIUnit: 100,
        ranges: LIS3MDL<B>.Range.allCases.map { range in
          RangeCase(bits: (0x21, 0x60, range.rawValue)) {
            LIS3MDL<B>.decode($0, at: 0, range: range).components
          }
        })
    ])
}

/// The sensitivity adjustments that the emulated AK8963s have in their fuse ROM.
private let adjustmentBytes: [UInt8] = [0xAF, 0xB1, 0x5C]

/// The kernel has it measure with 14 bits, whose counts are four of ours.
var ak8963: ChipCase {
  ChipCase(
    model: .ak8963, kernelName: "ak8963", address: 0x0C,
    powerOn: [(0x00, [0x48, 0x9A, 0x01]), (0x09, [0x10]), (0x10, adjustmentBytes)],
    quantities: [
      AxesCase(
        stem: "in_magn", register: 0x03, bytes: littleEndian, perABIUnit: 100,
        countsPerKernelCount: 4, kernelLimit: 8190, wordBits: 14, measured: -8189...8189,
        ranges: [RangeCase { decodeAK8963($0, adjustmentBytes) }])
    ])
}

func decodeAK8963(_ bytes: RegisterBytes, _ adjustment: [UInt8]) -> SIMD3<Double>? {
  AK8963<B>.decode(
    bytes, at: 0, adjustment: AK8963<B>.adjustment(RegisterBytes(adjustment))
  ).components
}
