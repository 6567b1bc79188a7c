// SPDX-License-Identifier: Apache-2.0

/// The clock that the tracks of a stream share.
enum TrackClock {
    /// The seconds after which the times of a transport stream start again.
    private static let wrap = Double(1 << 33) / 90_000
    /// The longest delay that is not a flaw of the stream, in seconds.
    private static let longest = 60.0

    /// Returns the seconds from the reference to the start of a track.
    ///
    /// The result is negative if the track starts before the reference. The result is zero if one
    /// of the starts is unknown, or if the starts belong to different clocks.
    static func delay(of start: Double?, after reference: Double?) -> Double {
        guard let start, let reference else { return 0 }
        let delay = (start - reference).remainder(dividingBy: wrap)
        return abs(delay) <= longest ? delay : 0
    }
}
