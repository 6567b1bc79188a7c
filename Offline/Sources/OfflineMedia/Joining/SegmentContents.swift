// SPDX-License-Identifier: Apache-2.0
package import OfflineModel

/// The contents of a segment, as far as the container shows the contents without decoding.
package struct SegmentContents: Hashable, Sendable {
    /// The units of one track in the segment.
    package struct Track: Hashable, Sendable {
        /// The kind of the units.
        package let kind: MediaTrack.Kind
        /// The smallest number of units that a demuxer returns.
        ///
        /// A unit has one or more frames.
        package private(set) var units = 0
        /// The earliest time of a unit in seconds, or nil if no unit states a time.
        package private(set) var start: Double?
        /// The latest time of a unit in seconds.
        package private(set) var lastUnit: Double?
        /// The longest time between two units in the order of decoding, or 0 if unknown.
        package private(set) var longestStep = 0.0
        /// The sum of the durations of the frames in seconds, or nil if unknown.
        package private(set) var frameSeconds: Double?
        /// The format of the first unit, or nil if the container does not state the format.
        package private(set) var format: Format?
        private var lastDecoded: Double?

        /// Creates a track without units.
        package init(_ kind: MediaTrack.Kind) {
            self.kind = kind
        }

        /// Adds units, of which the first and the last start at these times.
        package mutating func add(_ count: Int = 1, from first: Double?, to last: Double?) {
            units += count
            if let first { start = min(start ?? first, first) }
            if let last { lastUnit = max(lastUnit ?? last, last) }
        }

        /// Adds a unit with the time at which a player decodes it.
        mutating func add(at time: Double?, decodedAt decoded: Double?) {
            add(from: time, to: time)
            if let decoded, let lastDecoded {
                longestStep = max(longestStep, decoded - lastDecoded)
            }
            lastDecoded = decoded ?? lastDecoded
        }

        /// Adds the durations of frames in seconds.
        mutating func add(frameSeconds seconds: Double) {
            if seconds > 0 { frameSeconds = (frameSeconds ?? 0) + seconds }
        }

        /// Sets the format if no format is set.
        mutating func set(_ format: Format) {
            self.format = self.format ?? format
        }

        /// The time from the first to the last unit in seconds, or 0 if unknown.
        package var span: Double { (lastUnit ?? 0) - (start ?? lastUnit ?? 0) }

        /// The time that the units cover in seconds, or nil if unknown.
        package var duration: Double? {
            if let frameSeconds { return frameSeconds }
            guard let start, let lastUnit, units > 1 else { return nil }
            return (lastUnit - start) * Double(units) / Double(units - 1)
        }
    }

    /// The format of a track, as far as a container states it.
    package struct Format: Hashable, Sendable {
        /// The number of the codec in the container, or nil if unknown.
        var codec: UInt8?
        /// The samples of sound per second, or nil if unknown.
        var sampleRate: Int?

        /// Returns whether a track with this format can continue in another format, as far as both
        /// formats are known.
        package func continues(in other: Format) -> Bool {
            func agree<Value: Equatable>(_ first: Value?, _ second: Value?) -> Bool {
                first == nil || second == nil || first == second
            }
            return agree(codec, other.codec) && agree(sampleRate, other.sampleRate)
        }
    }

    /// The tracks by their number in the container.
    package var tracks: [Int: Track] = [:]

    /// Creates the contents of a segment in which nothing is known.
    package init() {}

    /// Returns the number of units of all tracks of a kind.
    package func units(_ kind: MediaTrack.Kind) -> Int {
        tracks.values.reduce(0) { $0 + ($1.kind == kind ? $1.units : 0) }
    }
}
