// SPDX-License-Identifier: Apache-2.0
import OfflineModel

/// The contents that a section of a stream lacks, although the file holds all segments.
struct SectionOmissions: Hashable, Sendable {
    /// The sum of the durations of a kind of content.
    struct Total: Hashable, Sendable {
        /// The seconds that the playlist states.
        var stated = 0.0
        /// The seconds that the segments hold.
        var held = 0.0
        /// The seconds that the segments certainly lack besides the named times.
        var lacking = 0.0

        /// Whether so much is missing that the rounding of a playlist cannot explain the
        /// difference.
        var isShort: Bool { lacking > 1 + stated / 50 }

        static func + (first: Total, second: Total) -> Total {
            Total(
                stated: first.stated + second.stated,
                held: first.held + second.held,
                lacking: first.lacking + second.lacking
            )
        }
    }

    /// The times in seconds, from the start of the section, at which segments hold less than the
    /// playlist states.
    var times: [MediaTrack.Kind: [Range<Double>]] = [:]
    /// The sums of the durations of all segments.
    var totals: [MediaTrack.Kind: Total] = [:]
    /// The times in seconds, from the start of the section, at which the pictures have another
    /// encoding than the initialization section states.
    var unreadable: [Range<Double>] = []
    /// Whether a second track with pictures is left out, because a file has only one such track.
    var leavesOutPictures = false

    /// Returns the omissions of one kind of content only.
    func only(_ kind: MediaTrack.Kind) -> SectionOmissions {
        SectionOmissions(
            times: times.filter { $0.key == kind },
            totals: totals.filter { $0.key == kind },
            unreadable: kind == .video ? unreadable : [],
            leavesOutPictures: leavesOutPictures && kind == .video
        )
    }

    /// Adds the omissions of a track that plays at the same time.
    mutating func add(_ other: SectionOmissions) {
        times.merge(other.times) { $0 + $1 }
        unreadable += other.unreadable
        totals.merge(other.totals) { $0.lacking >= $1.lacking ? $0 : $1 }
        leavesOutPictures = leavesOutPictures || other.leavesOutPictures
    }
}
