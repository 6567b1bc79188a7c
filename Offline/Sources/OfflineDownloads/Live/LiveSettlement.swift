// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineSources

/// The parts of a finished recording that become its file.
///
/// A recording never fails because of a lost segment. The segment becomes a gap.
struct LiveSettlement: Hashable {
    /// The parts, each with a file or a gap.
    private(set) var records: [PartRecord] = []
    /// The tracks of the parts.
    private(set) var tracks: [TrackDescription] = []
    /// The omissions, in sentences for the user.
    private(set) var notes: [String] = []

    /// Settles the parts of a recording.
    ///
    /// Afterwards, no part is outstanding.
    init(_ recorded: [PartRecord], _ descriptions: [TrackDescription]) {
        let known = Dictionary(grouping: recorded, by: \.id.track)
        for (track, description) in descriptions.enumerated() {
            var parts = Self.settled(known[track] ?? [])
            let isEmpty = !parts.contains { $0.size != nil && !$0.part.isInitialization }
            if isEmpty, description.content == .subtitles { parts = [] }
            if isEmpty, description.content == .sound {
                notes.append(
                    "Sound was left out: \(SubtitleLanguage.title(description.language)). None of "
                        + "its segments could be fetched."
                )
                continue
            }
            records += parts.map { $0.moved(toTrack: tracks.count) }
            tracks.append(description)
        }
    }

    /// Returns the parts of a track, with a gap in place of each part without a file.
    ///
    /// Segments without their initialization section are useless.
    private static func settled(_ parts: [PartRecord]) -> [PartRecord] {
        var lacksHeader = false
        return parts.compactMap { record in
            if record.part.isInitialization {
                lacksHeader = record.size == nil
                return lacksHeader ? nil : record
            }
            var record = record
            if record.size == nil || lacksHeader {
                record.part.isGap = true
                record.size = nil
            }
            return record
        }
    }
}

extension PartRecord {
    /// Returns a copy of the record in another track.
    ///
    /// The file keeps its name.
    fileprivate func moved(toTrack track: Int) -> PartRecord {
        PartRecord(
            PartID(track: track, number: id.number),
            part,
            fileName: fileName,
            size: size,
            isProven: isProven,
            validator: validator
        )
    }
}
