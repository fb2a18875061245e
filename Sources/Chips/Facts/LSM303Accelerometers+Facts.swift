#if !hasFeature(Embedded)

  extension ChipFact {
    static let lsm303dlhcAccelerometer = [
      force(
        "12 bits, left-aligned: 1, 2, 4, 12 mg", [1, 2, 4, 12],
        by: "Linux st_accel_core.c", "ST lsm303dlhc.h",
        dispute: "Adafruit_LSM303_Accel.cpp has the LSM303AGR's 0.98, 1.95, 3.9, 11.72 mg for both"),
      ChipFact(
        .identity, "0x33, which its data sheet leaves out; in the LSM303AGR and LIS3DH too",
        .identity(register: 0x0F, values: [0x33]),
        by: "Linux st_accel_core.c", "Adafruit_LSM303_Accel.cpp"),
    ]
    static let lsm303agrAccelerometer = [
      force(
        "12 bits, left-aligned: 0.98, 1.95, 3.9, 11.72 mg", [0.98, 1.95, 3.9, 11.72],
        by: "ST data sheet DocID027765, table 3", "ST lsm303agr_reg.c",
        dispute: "Linux st_accel_core.c has the LSM303DLHC's 1, 2, 4, 12 mg for both")
    ]

    private static func force(
      _ text: String, _ milliG: [Double], by one: String, _ other: String, dispute: String? = nil
    ) -> ChipFact {
      let scales = zip([2.0, 4, 8, 16], milliG).map {
        SampleLayout.Scale.force($0, $1 * 1e-3 * Unit.gravity / 16)
      }
      return ChipFact(
        .scale, text,
        .samples(SampleLayout(.specificForce, from: 0xA8, at: 0, .little16, "+x +y +z", scales)),
        by: one, other, dispute: dispute,
        proof: dispute.map { _ in "gravity at rest, on each side: lodestar check" })
    }
  }

#endif
