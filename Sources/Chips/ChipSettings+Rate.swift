extension ChipSettings {
  /// The lowest of a chip's rates that is not below the requested one, else the highest; with a
  /// usual rate, hertz, where none is requested. The rates rise.
  func rate<Rate>(among rates: [Rate], default usual: Double, hertz: (Rate) -> Double) -> Rate {
    let wanted = rateHertz ?? usual
    return rates.first { hertz($0) >= wanted } ?? rates[rates.count - 1]
  }

  /// The index of that rate among rates in hertz.
  func rateIndex(among rates: [Double], default usual: Double) -> Int {
    let wanted = rateHertz ?? usual
    return rates.firstIndex { $0 >= wanted } ?? rates.count - 1
  }
}
