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

private func is16BitRail(_ count: Int) -> Bool { count == -32_768 || count == 32_767 }

/// The kernel computes with 3.14159: 70 millidegrees come out a count of the last digit too low.
private let lsm9ds1GyroscopeDigits: [Int64?] = [nil, nil, 1_221_729]

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

/// inv_mpu_core.c doubles scales that were cut off: 598, 1196, 2392, 4785 for 598.55, 1197.10, 2394.20, 4788.40.
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
