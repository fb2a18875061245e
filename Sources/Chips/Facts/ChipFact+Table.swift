#if !hasFeature(Embedded)

  extension ChipFact {
    /// The facts by chip, one line a chip; each chip's rows stand in a file of their own.
    public static let table: [(model: ChipModel, facts: [ChipFact])] = [
      (.lis2mdl, lis2mdl),
      (.bmp180, bmp180),
      (.bmp280, bmp280),
      (.bme280, bme280),
      (.bmp388, bmp388),
      (.bmp390, bmp390),
      (.bmp581, bmp581),
      (.bmp585, bmp585),
      (.lps25hb, lps25hb),
      (.lps22hb, lps22hb),
      (.lps22hh, lps22hh),
      (.lps22df, lps22df),
      (.icp10125, icp10125),
      (.dps310, dps310),
      (.spl06, spl06),
      (.spl07, spl07),
      (.ms5611, ms5611),
      (.ms5607, ms5607),
      (.ms5637, ms5637),
      (.ms5837With30Bar, ms5837With30Bar),
      (.ms5837With2Bar, ms5837With2Bar),
      (.qmp6988, qmp6988),
      (.smpb02b, smpb02b),
      (.mpl3115a2, mpl3115a2),
      (.bme680, bme680),
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
