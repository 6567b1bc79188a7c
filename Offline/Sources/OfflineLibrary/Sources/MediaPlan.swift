// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// The parts of an item, for each of its tracks.
struct MediaPlan: Hashable, Sendable {
    /// The tracks that are joined into one file.
    var tracks: [Track]
    /// The omissions and replacements of the plan, in sentences for the user.
    var notes: [String] = []
    /// The chapters that the source states; none leaves those of the page.
    var chapters: [Chapter] = []
    /// The title that the playlist or the manifest states; nil without one.
    var title: String?

    /// A part and its number.
    typealias Entry = (id: PartID, part: Part)

    /// The parts of all tracks in order, numbered from 0 in each track.
    var entries: [Entry] {
        tracks.enumerated().flatMap { track, content in
            content.parts.enumerated().map { number, part in
                (PartID(track: track, number: number), part)
            }
        }
    }

    /// Returns the records of a new download, none of whose parts is on disk.
    func newRecords() -> [PartRecord] {
        entries.map { PartRecord($0.id, $0.part) }
    }

    /// Returns records of the plan with the files of recorded subtitles.
    ///
    /// Subtitles never prevent that the rest of the stream is kept.
    func keepingTexts(
        _ recorded: [PartRecord],
        in records: [PartRecord],
        isReplaced: Bool = false
    ) -> [PartRecord] {
        let known = Dictionary(recorded.map { ($0.id, $0) }) { first, _ in first }
        return records.map { record in
            guard record.part.isText, let old = known[record.id],
                old.part.identity == record.part.identity, old.fileName == record.fileName
            else { return record }
            var kept = record
            (kept.size, kept.isProven, kept.validator) = (old.size, old.isProven, old.validator)
            kept.hasOtherAddress = isReplaced
            return kept
        }
    }

    /// Returns the records of the plan with the files of the recorded parts.
    ///
    /// The addresses are those of the plan, because recorded ones may have expired.
    ///
    /// A track without a record is new. A part whose query changed is kept, but marked.
    ///
    /// - Parameters:
    ///   - recorded: The recorded parts.
    ///   - isReplaced: Whether a person has replaced the address of the media, so that the paths of
    ///     the parts may differ.
    /// - Returns: Nil if the record is of other media, whose files must not be used.
    func keeping(_ recorded: [PartRecord], isReplaced: Bool = false) -> [PartRecord]? {
        let known = Dictionary(grouping: recorded, by: \.id.track)
        guard known.keys.allSatisfy(tracks.indices.contains) else { return nil }
        var result: [PartRecord] = []
        for (track, content) in tracks.enumerated() {
            let old = known[track]
            guard old == nil || old?.count == content.parts.count else { return nil }
            for (number, part) in content.parts.enumerated() {
                guard var record = old?[number] else {
                    result.append(PartRecord(PartID(track: track, number: number), part))
                    continue
                }
                guard record.id.number == number,
                    isReplaced
                        ? record.part.identity.withoutPath == part.identity.withoutPath
                        : record.part.identity.withoutQuery == part.identity.withoutQuery,
                    record.part.isInitialization == part.isInitialization
                else { return nil }
                record.hasOtherQuery = record.part.identity != part.identity
                record.hasOtherAddress = isReplaced
                record.part = part
                // The server may drop a segment that is on disk.
                if record.size != nil { record.part.isGap = false }
                result.append(record)
            }
        }
        return result
    }
}

extension String {
    /// The identity of a part without the query of its address.
    fileprivate var withoutQuery: Substring { prefix { $0 != "?" } }

    /// The identity without its last word, which is the path of an address.
    fileprivate var withoutPath: Substring { self[..<(lastIndex(of: " ") ?? endIndex)] }
}

/// One sequence of parts, such as the pictures of a stream.
struct Track: Hashable, Sendable {
    /// The parts in order.
    var parts: [Part]
    /// The content that the file keeps of the track.
    var description = TrackDescription()
}

/// A part of a track: a file of the server, or a range of one.
struct Part: Hashable, Sendable {
    /// The address of the file that contains the part.
    var address: WebAddress
    /// The range of the part in that file; nil for the whole file.
    var range: HTTPByteRange?
    /// One line of text by which a part is recognized when it is planned again.
    var identity: String
    /// The key; nil if the part is not encrypted.
    var key: DecryptionKey?
    /// The duration in seconds that the server states; nil if it states none.
    var duration: Double?
    /// Whether the part is an initialization section, which the parts after it require.
    var isInitialization = false
    /// Whether timestamps, tracks and formats may change before the part.
    var isDiscontinuity = false
    /// Whether the server lacks the part, which is not fetched and has no file.
    var isGap = false
    /// Whether the part holds subtitles; not stored, because its track shows it.
    var isText = false
}

/// The AES-128 key of a part.
struct DecryptionKey: Hashable, Sendable {
    /// The address of the key.
    var address: WebAddress
    /// The initialization vector, of 16 bytes.
    var iv: [UInt8]
}
