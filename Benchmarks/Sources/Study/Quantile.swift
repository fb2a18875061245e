/// The value below which a fraction of the values lies; nan of none.
public func quantile(_ values: [Double], _ fraction: Double) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return .nan }
  return sorted[min(sorted.count - 1, Int(fraction * Double(sorted.count)))]
}

/// The root of the mean of the squares; nan of none.
public func rootMeanSquare(_ values: [Double]) -> Double {
  (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
}
