extension CLError {
  /// The region with faster events than the delayed one of `regionMonitoringResponseDelayed`; nil
  /// where the error names none.
  public var alternateRegion: CLRegion? {
    userInfo[kCLErrorUserInfoAlternateRegionKey] as? CLRegion
  }
}
