/// A limit of what clients occupy that the daemon's file can set. README.md has the table of all limits.
package struct ServeBudget {
  /// The key in the file.
  package let key: String
  /// The allowed values.
  package let allowed: ClosedRange<Int>
  /// The property.
  package let path: WritableKeyPath<ServeConfiguration, Int>
  /// The value of 1 in the property's unit.
  package let unit: Int

  /// All limits of the file.
  package static var all: [ServeBudget] {
    [
      ServeBudget(key: "most-clients", allowed: 1...1024, path: \.mostClients, unit: 1),
      ServeBudget(key: "most-requests", allowed: 1...4096, path: \.mostRequests, unit: 1),
      ServeBudget(
        key: "most-queued-kib", allowed: 64...65_536, path: \.mostQueuedBytes, unit: 1024),
      ServeBudget(key: "most-applications", allowed: 1...1024, path: \.mostApplications, unit: 1),
      ServeBudget(
        key: "most-stored-kib", allowed: 64...65_536, path: \.mostStoredBytes, unit: 1024),
    ]
  }
}
