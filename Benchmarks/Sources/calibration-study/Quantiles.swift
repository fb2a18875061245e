import Study

/// The median, and in parentheses what nine of ten are below.
func spread(_ values: [Double]) -> String {
  values.isEmpty ? "-" : "\(word(quantile(values, 0.5))) (\(word(quantile(values, 0.9))))"
}

/// The median.
func middle(_ values: [Double], _ decimals: Int = 2) -> String {
  values.isEmpty ? "-" : word(quantile(values, 0.5), decimals)
}

/// The share of the values that a condition holds of.
func share<T>(_ values: [T], _ holds: (T) -> Bool) -> Double {
  values.isEmpty ? .nan : Double(values.filter(holds).count) / Double(values.count)
}
