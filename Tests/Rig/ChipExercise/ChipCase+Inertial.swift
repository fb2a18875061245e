import Chips
import LinuxIO

var lsm303dlhcAccelerometer: ChipCase {
  ChipCase(
    model: .lsm303dlhcAccelerometer, kernelName: "lsm303dlhc_accel", address: 0x19, mirror: 0x80,
    powerOn: [(0x0F, [0x33]), (0x20, [0x07, 0, 0, 0, 0, 0, 0, 0x0F])],
    rate: ("sampling_frequency", "400"),
    quantities: [
      AxesCase(
        stem: "in_accel", register: 0x28, bytes: littleEndian, unit: 16,
        isSaturated: { $0 == -2048 || $0 == 2047 }, measured: -2047...2046,
        ranges: LSM303DLHCAccelerometer<B>.Range.allCases.map { range in
          RangeCase(bits: (0x23, 0x30, range.rawValue)) {
            LSM303DLHCAccelerometer<B>.decode($0, at: 0, range: range).components
          }
        })
    ])
}

/// The kernel has the LSM303DLHC's scales for this part too, 1, 2, 4 and 12 milli-g.
var lsm303agrAccelerometer: ChipCase {
  var chip = lsm303dlhcAccelerometer
  (chip.model, chip.kernelName) = (.lsm303agrAccelerometer, "lsm303agr_accel")
  let digits: [Int64] = [9806, 19_613, 39_226, 117_679]
  chip.quantities[0].ranges = zip(LSM303DLHCAccelerometer<B>.Range.allCases, digits).map {
    range, digits in
    RangeCase(bits: (0x23, 0x30, range.rawValue), kernelDigits: digits) {
      LSM303DLHCAccelerometer<B>.decode($0, at: 0, range: range, of: .lsm303agrAccelerometer)
        .components
    }
  }
  return chip
}

private func is16BitRail(_ count: Int) -> Bool { count == -32_768 || count == 32_767 }

/// The kernel computes with 3.14159: 70 millidegrees come out a count of the last digit too low.
private let lsm9ds1GyroscopeDigits: [Int64?] = [nil, nil, 1_221_729]
private let lsm6dsGyroscopeDigits: [Int64?] = [nil, nil, nil, 1_221_729]

/// The range bits in CTRL1_XL and CTRL2_G, smallest range first; the LSM6DSV's are in CTRL8 and
/// CTRL6.
/// - Source: the data sheets named by `LSM6DSVariant`.
func lsm6ds(_ variant: LSM6DSVariant, _ name: String, rate: String) -> ChipCase {
  let isV = variant.model == .lsm6dsv
  let gyroscope: (register: UInt8, mask: UInt8, bits: [UInt8]) =
    isV ? (0x15, 0x0F, [1, 2, 3, 4]) : (0x11, 0x0C, [0x00, 0x04, 0x08, 0x0C])
  let accelerometer: (register: UInt8, mask: UInt8, bits: [UInt8]) =
    isV ? (0x17, 0x03, [0, 1, 2, 3]) : (0x10, 0x0C, [0x00, 0x08, 0x0C, 0x04])
  return ChipCase(
    model: variant.model, kernelName: name, address: 0x6B, powerOn: [(0x0F, [variant.identity])],
    rate: ("sampling_frequency", rate),
    quantities: [
      AxesCase(
        stem: "in_anglvel", register: 0x22, bytes: littleEndian, isSaturated: is16BitRail,
        ranges: zip(LSM6DSGyroscopeRange.allCases, lsm6dsGyroscopeDigits).map { range, digits in
          let bits = gyroscope.bits[range.rawValue]
          return RangeCase(
            bits: (gyroscope.register, gyroscope.mask, bits), kernelDigits: digits
          ) {
            LSM6DSFamily<B>.decodeAngularRate($0, at: 0, range: range).components
          }
        }),
      AxesCase(
        stem: "in_accel", register: 0x28, bytes: littleEndian, isSaturated: is16BitRail,
        ranges: zip(LSM6DSAccelerometerRange.allCases, accelerometer.bits).map { range, bits in
          RangeCase(bits: (accelerometer.register, accelerometer.mask, bits)) {
            LSM6DSFamily<B>.decodeSpecificForce($0, at: 0, range: range).components
          }
        }),
    ])
}

/// ST's gyroscopes without an accelerometer; the range bits are those of CTRL4.
func gyroscope(_ model: ChipModel, _ name: String, _ identity: UInt8) -> ChipCase {
  ChipCase(
    model: model, kernelName: name, address: 0x6B, mirror: 0x80,
    powerOn: [(0x0F, [identity]), (0x20, [0x07, 0, 0, 0, 0, 0, 0, 0x0F])],
    rate: ("sampling_frequency", model == .l3gd20 ? "760" : "800"),
    quantities: [
      AxesCase(
        stem: "in_anglvel", register: 0x28, bytes: littleEndian, isSaturated: is16BitRail,
        ranges: LSM9DS1GyroscopeRange.allCases.enumerated().map { index, range in
          RangeCase(bits: (0x23, 0x30, UInt8(index) << 4)) {
            L3GD20<B>.decode($0, at: 0, range: range).components
          }
        })
    ])
}

/// The kernel's gyroscope also has ±125 degrees a second, last, which ours leaves out.
var bmi160: ChipCase {
  ChipCase(
    model: .bmi160, kernelName: "bmi160", address: 0x68,
    powerOn: [(0x00, [0xD1, 0, 0, 0x14]), (0x40, [0x28, 0x03, 0x28, 0x00])],
    rate: ("in_anglvel_sampling_frequency", "1600"),
    quantities: [
      AxesCase(
        stem: "in_anglvel", register: 0x0C, bytes: littleEndian, isSaturated: is16BitRail,
        ranges: SixteenBitGyroscopeRange.allCases.reversed().map { range in
          RangeCase(bits: (0x43, 0x07, 3 - range.rawValue)) {
            BMI160<B>.decode(both($0, at: 0), at: 0, gyroscope: range, accelerometer: .g2)
              .angularRate?.components
          }
        }),
      AxesCase(
        stem: "in_accel", register: 0x12, bytes: littleEndian, isSaturated: is16BitRail,
        ranges: zip(MPUAccelerometerRange.allCases, [0x03, 0x05, 0x08, 0x0C]).map { range, bits in
          RangeCase(bits: (0x41, 0x0F, bits)) {
            BMI160<B>.decode(
              both($0, at: 6), at: 0, gyroscope: .degrees250, accelerometer: range
            )
            .specificForce?.components
          }
        }),
    ])
}

/// A whole packet of the ICM-42688-P's FIFO: header, acceleration, angular rate.
private func packet(_ bytes: RegisterBytes, at place: Int) -> RegisterBytes {
  var all = RegisterBytes(count: 16)
  for index in 0..<6 { all[place + index] = bytes[index] }
  return all
}

var icm42688p: ChipCase { icm42688(.icm42688p, identity: 0x47, 0x68) }
var icm42605: ChipCase { icm42688(.icm42605, identity: 0x42, 0x69) }

/// The kernel's gyroscope also has ±15.6 to ±125 degrees a second, last. RESET_DONE is set, and
/// stays so.
private func icm42688(_ model: ChipModel, identity: UInt8, _ address: UInt8) -> ChipCase {
  let gyroscopes = SixteenBitGyroscopeRange.allCases.reversed().map { $0 }
  let accelerometers = MPUAccelerometerRange.allCases.reversed().map { $0 }
  return ChipCase(
    model: model, kernelName: "inv-icm42600-i2c", isInTree: true, keepsFIFO: true, address: address,
    powerOn: [(0x2D, [0x10]), (0x75, [identity])],
    quantities: [
      AxesCase(
        stem: "in_anglvel", register: 0x25, bytes: { bigEndian($0.x, $0.y, $0.z) },
        isSaturated: is16BitRail, invalid: -32_768,
        ranges: gyroscopes.enumerated().map { index, range in
          RangeCase(bits: (0x4F, 0xE0, UInt8(index) << 5)) {
            ICM42688P<B>.decode(packet($0, at: 7), at: 0, gyroscope: range, accelerometer: .g2)
              .angularRate?.components
          }
        }),
      AxesCase(
        stem: "in_accel", register: 0x1F, bytes: { bigEndian($0.x, $0.y, $0.z) },
        isSaturated: is16BitRail, invalid: -32_768,
        ranges: accelerometers.enumerated().map { index, range in
          RangeCase(bits: (0x50, 0xE0, UInt8(index) << 5)) {
            ICM42688P<B>.decode(
              packet($0, at: 1), at: 0, gyroscope: .degrees250, accelerometer: range
            )
            .specificForce?.components
          }
        }),
    ])
}

/// Its scale is 38.3 mm/s² for 9806.65/256.
var adxl345: ChipCase {
  ChipCase(
    model: .adxl345, kernelName: "adxl345_i2c", isInTree: true, address: 0x53,
    powerOn: [(0x00, [0xE5])],
    quantities: [
      AxesCase(
        stem: "in_accel", register: 0x32,
        // The sign in the upper bits, of which the kernel takes 13 and we take all.
        bytes: { littleEndian(($0 &<< 3) &>> 3) }, wordBits: 13,
        isSaturated: { $0 == -4096 || $0 == 4095 }, measured: -4095...4094,
        ranges: [
          RangeCase(bits: (0x31, 0x08, 0x08), kernelDigits: 38_300) {
            ADXL345<B>.decode($0, at: 0).components
          }
        ])
    ])
}

/// Its driver sets the upper bit of a register's number, and reads by more than SMBus.
var itg3205: ChipCase {
  ChipCase(
    model: .itg3205, kernelName: "itg3200", address: 0x6A, mirror: 0x80, powerOn: [(0x00, [0x69])],
    quantities: [
      AxesCase(
        stem: "in_anglvel", register: 0x1D, bytes: { bigEndian($0.x, $0.y, $0.z) },
        isSaturated: is16BitRail,
        ranges: [RangeCase { ITG3205<B>.decode($0, at: 0).components }])
    ])
}

/// The driver has no list of its scales.
var bmx055Accelerometer: ChipCase {
  ChipCase(
    model: .bmx055Accelerometer, kernelName: "bmi055_accel", address: 0x18,
    powerOn: [(0x00, [0xFA])],
    quantities: [
      AxesCase(
        stem: "in_accel", register: 0x02, bytes: littleEndian, unit: 16,
        isSaturated: { $0 == -2048 || $0 == 2047 }, measured: -2047...2046,
        scales: ["0.009577", "0.019154", "0.038307", "0.076614"],
        ranges: zip(MPUAccelerometerRange.allCases, [0x03, 0x05, 0x08, 0x0C]).map { range, bits in
          RangeCase(bits: (0x0F, 0x0F, bits)) {
            BMX055<B>.decodeForce($0, at: 0, range: range).components
          }
        })
    ])
}

/// The kernel's also has ±125 degrees a second, last.
var bmx055Gyroscope: ChipCase {
  ChipCase(
    model: .bmx055Gyroscope, kernelName: "bmg160", address: 0x68, powerOn: [(0x00, [0x0F])],
    quantities: [
      AxesCase(
        stem: "in_anglvel", register: 0x02, bytes: littleEndian, isSaturated: is16BitRail,
        ranges: SixteenBitGyroscopeRange.allCases.reversed().map { range in
          RangeCase(bits: (0x0F, 0x07, 3 - range.rawValue)) {
            BMX055<B>.decodeRate($0, at: 0, range: range).components
          }
        })
    ])
}

/// The kernel's force is in g, against the ABI.
var fxos8700: ChipCase {
  func sample(_ bytes: RegisterBytes, at place: Int, _ range: FXOS8700Range) -> InertialReading {
    FXOS8700<B>.decode(both(bytes, at: place), at: 0, range: range)
  }
  return ChipCase(
    model: .fxos8700, kernelName: "fxos8700", address: 0x1F, powerOn: [(0x0D, [0xC7])],
    quantities: [
      AxesCase(
        stem: "in_accel", register: 0x01, bytes: { bigEndian($0.x & ~3, $0.y & ~3, $0.z & ~3) },
        unit: 4, perABIUnit: 9.806_65, isSaturated: { $0 == -8192 || $0 == 8191 },
        measured: -8191...8190,
        ranges: FXOS8700Range.allCases.map { range in
          RangeCase(bits: (0x0E, 0x03, range.rawValue)) {
            sample($0, at: 0, range).specificForce?.components
          }
        }),
      AxesCase(
        stem: "in_magn", model: .ofKernel("fxos8700", .field), register: 0x33,
        bytes: { bigEndian($0.x, $0.y, $0.z) }, perABIUnit: 100,
        isSaturated: { abs($0) > 12_000 },
        ranges: [RangeCase { sample($0, at: 6, .g2).field?.components }]),
    ])
}

/// The kernel's rate is in thousandths of a degree per second, against the ABI. For its ranges see
/// `exerciseFXAS21002Ranges`.
var fxas21002: ChipCase {
  ChipCase(
    model: .fxas21002, kernelName: "fxas21002c", address: 0x21, powerOn: [(0x0C, [0xD7])],
    quantities: [
      AxesCase(
        stem: "in_anglvel", register: 0x01, bytes: { bigEndian($0.x, $0.y, $0.z) },
        perABIUnit: .pi / 180_000, isSaturated: is16BitRail,
        hasRangesByRegister: true,
        ranges: FXAS21002Range.allCases.map { range in
          RangeCase(bits: (0x0D, 0x03, 3 - range.rawValue)) {
            FXAS21002<B>.decode($0, at: 0, range: range).components
          }
        })
    ])
}

var lsm9ds1Inertial: ChipCase {
  ChipCase(
    model: .lsm9ds1Inertial, kernelName: "lsm9ds1-imu", address: 0x6B,
    powerOn: [(0x0F, [0x68]), (0x20, [0, 0, 0x04])],
    quantities: [
      AxesCase(
        stem: "in_anglvel", register: 0x18, bytes: littleEndian, isSaturated: is16BitRail,
        ranges: zip(LSM9DS1Inertial<B>.GyroscopeRange.allCases, lsm9ds1GyroscopeDigits).map {
          range, digits in
          RangeCase(bits: (0x10, 0x18, range.rawValue), kernelDigits: digits) {
            LSM9DS1Inertial<B>.decodeAngularRate($0, at: 0, range: range).components
          }
        }),
      AxesCase(
        stem: "in_accel", register: 0x28, bytes: littleEndian, isSaturated: is16BitRail,
        ranges: LSM9DS1Inertial<B>.AccelerometerRange.allCases.map { range in
          RangeCase(bits: (0x20, 0x18, range.rawValue)) {
            LSM9DS1Inertial<B>.decodeSpecificForce($0, at: 0, range: range).components
          }
        }),
    ])
}

/// Twelve bytes as our driver reads them, of which the case's six are given: the decoder is of both
/// quantities.
private func both(_ bytes: RegisterBytes, at place: Int) -> RegisterBytes {
  var all = RegisterBytes(count: 12)
  for index in 0..<6 { all[place + index] = bytes[index] }
  return all
}

/// inv_mpu_core.c doubles scales that were cut off: 598, 1196, 2392, 4785 for 598.55, 1197.10,
/// 2394.20, 4788.40.
private let accelerometerDigits: [Int64?] = [nil, 1196, 2392, 4785]

private var mpuQuantities: [AxesCase] {
  [
    AxesCase(
      stem: "in_anglvel", register: 0x43, bytes: { bigEndian($0.x, $0.y, $0.z) },
      isSaturated: is16BitRail,
      ranges: MPUGyroscopeRange.allCases.map { range in
        RangeCase(bits: (0x1B, 0x18, range.rawValue << 3)) {
          MPU6050Family<B>.decode(both($0, at: 6), at: 0, gyroscope: range, accelerometer: .g2)
            .angularRate?.components
        }
      }),
    AxesCase(
      stem: "in_accel", register: 0x3B, bytes: { bigEndian($0.x, $0.y, $0.z) },
      isSaturated: is16BitRail,
      ranges: zip(MPUAccelerometerRange.allCases, accelerometerDigits).map { range, digits in
        RangeCase(bits: (0x1C, 0x18, range.rawValue << 3), kernelDigits: digits) {
          MPU6050Family<B>.decode(
            both($0, at: 0), at: 0, gyroscope: .degrees250, accelerometer: range
          )
          .specificForce?.components
        }
      }),
  ]
}

func mpu(_ model: ChipModel, _ name: String, _ identity: UInt8) -> ChipCase {
  ChipCase(
    model: model, kernelName: name, address: 0x68,
    powerOn: [(0x6B, [0x40, 0]), (0x75, [identity])],
    rate: ("sampling_frequency", "500"), quantities: mpuQuantities)
}

/// Its driver reads the AK8963 through the MPU's I2C master, which the stub does not emulate:
/// EXT_SENS_DATA is constant. So the identity 0x48 and the first of the three sensitivity
/// adjustments are the same byte. The driver states x's adjustment for y and z as well: its
/// channels have no `address`, which chooses among the three (inv_mpu_magn.h, inv_mpu_core.c).
var mpu9250: ChipCase {
  let fetched: [UInt8] = [0x48, 0xB1, 0x5C]
  var chip = mpu(.mpu9250, "mpu9250", 0x71)
  chip.powerOn.append((0x49, fetched))
  chip.quantities.append(
    AxesCase(
      stem: "in_magn", model: .ak8963, register: 0x49, bytes: { bigEndian($0.x, $0.y, $0.z) },
      perABIUnit: 100, measured: -32_759...32_759, hasOnlyXScale: true,
      ranges: [
        RangeCase { bytes in
          // The master swaps the chip's bytes.
          decodeAK8963(
            RegisterBytes((0..<6).map { bytes[$0 ^ 1] }), fetched)
        }
      ]))
  return chip
}
