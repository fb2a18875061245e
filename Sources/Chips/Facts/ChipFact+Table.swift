#if !hasFeature(Embedded)

  extension ChipFact {
    /// The facts by chip, one line a chip; each chip's rows stand in a file of their own.
    public static let table: [(model: ChipModel, facts: [ChipFact])] = [
      (.lis2mdl, lis2mdl),
      (.lsm6ds3, lsm6ds3),
      (.lsm6ds3trc, lsm6ds3trc),
      (.lsm6dso, lsm6dso),
      (.lsm6dso32, lsm6dso32),
      (.lsm6dsv, lsm6dsv),
      (.lsm6dsv32x, lsm6dsv32x),
      (.ism330dhcx, ism330dhcx),
      (.l3g4200d, l3g4200d),
      (.l3gd20, l3gd20),
      (.l3gd20h, l3gd20h),
      (.itg3205, itg3205),
      (.adxl345, adxl345),
    ]
  }

  extension ChipModel {
    /// What is known of it, with sources; empty for a chip of the kernel.
    public var facts: [ChipFact] { ChipFact.table.first { $0.model == self }?.facts ?? [] }

    /// Its facts that fewer than two sources agree on, each as a line for its user.
    public var cautions: [String] {
      facts.compactMap(\.caution).map { "\(rawValue), not proven: \($0)" }
    }
  }

#endif
