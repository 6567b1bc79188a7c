// SPDX-License-Identifier: Apache-2.0

/// The clock that the tracks of a stream share.
enum TrackClock {
    /// The seconds after which the times of a transport stream begin again.
    private static let wrap = Double(1 << 33) / 90_000
    /// The longest delay that is no flaw of the stream, in seconds.
    private static let longest = 60.0

    /// Returns after how many seconds a track starts; negative if it starts before the reference.
    ///
    /// Zero if one of the starts is unknown, or if they belong to different clocks.
    static func delay(of start: Double?, after reference: Double?) -> Double {
        guard let start, let reference else { return 0 }
        let delay = (start - reference).remainder(dividingBy: wrap)
        return abs(delay) <= longest ? delay : 0
    }
}
