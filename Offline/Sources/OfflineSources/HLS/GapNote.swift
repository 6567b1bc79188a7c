// SPDX-License-Identifier: Apache-2.0
package import OfflineModel

/// The note for the user about the times of a stream that are missing in the film.
package enum GapNote {
    /// The largest number of time ranges that a note names.
    private static let rangeLimit = 5

    /// The reason for gaps, as far as the reason is known.
    package enum Cause: String {
        /// The playlist states that the server does not have the segment.
        case server = "missing on the server"
        /// The server lost the segment, or this machine or the network could not fetch it in time.
        case recording = "missing in the recording"
    }

    /// Returns the sentences about the gaps, in seconds, of a track with the given kept content.
    package static func text(
        _ gaps: [Range<Double>],
        _ content: TrackDescription.Content,
        cause: Cause = .server
    ) -> [String] {
        guard !gaps.isEmpty else { return [] }
        let ranges = gaps.prefix(rangeLimit).map { gap in
            // The length of a gap in a recording may be unknown.
            gap.isEmpty
                ? PlayTime.text(gap.lowerBound)
                : "\(PlayTime.text(gap.lowerBound))–\(PlayTime.text(gap.upperBound))"
        }
        let more = gaps.count > rangeLimit ? " and \(gaps.count - rangeLimit) more" : ""
        let subject =
            switch content {
            case .everything: "A part of the stream is"
            case .pictures: "Pictures are"
            case .sound: "Sound is"
            case .subtitles: "Subtitles are"
            }
        return [
            "\(subject) \(cause.rawValue) at \(ranges.joined(separator: ", "))\(more)."
        ]
    }

    /// Returns the sentences about the gaps in the parts of all tracks of a recording.
    package static func text(of records: [PartRecord], in tracks: [TrackDescription]) -> [String] {
        let tracksOfRecords = Dictionary(grouping: records, by: \.id.track)
        return tracksOfRecords.sorted { $0.key < $1.key }.flatMap { track, records in
            let content = tracks.indices.contains(track) ? tracks[track].content : .everything
            return text(gaps(in: records.map(\.part)), content, cause: .recording)
        }
    }

    /// Returns a note without earlier sentences about gaps.
    package static func removed(from note: ItemNote) -> ItemNote {
        let sentence =
            #/
            (?:A\ part\ of\ the\ stream|Pictures|Sound|Subtitles)\ (?:is|are)
            \ missing\ (?:on\ the\ server|in\ the\ recording)\ at\ [^.]*\.\s*
            /#
        let text = note.text?.replacing(sentence, with: "") ?? ""
        let rest = text.hasSuffix(" ") ? String(text.dropLast()) : text
        return ItemNote(after: rest.isEmpty ? nil : rest)
    }

    /// Returns the times of the gaps among parts, with adjacent gaps joined.
    package static func gaps(in parts: [Part]) -> [Range<Double>] {
        var ranges: [Range<Double>] = []
        var time = 0.0
        for part in parts {
            let end = time + (part.duration ?? 0)
            if part.isGap {
                let start = ranges.last?.upperBound == time ? ranges.removeLast().lowerBound : time
                ranges.append(start..<end)
            }
            time = end
        }
        return ranges
    }
}
