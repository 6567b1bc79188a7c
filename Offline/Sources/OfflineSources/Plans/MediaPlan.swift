// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
package import TidingsHTTP

/// The parts of an item, for each of its tracks.
package struct MediaPlan: Hashable, Sendable {
    /// The tracks that are joined into one file.
    package var tracks: [Track]
    /// The omissions and replacements of the plan, in sentences for the user.
    package var notes: [String] = []
    /// The chapters that the source states.
    ///
    /// If this list is empty, the chapters of the page apply.
    package var chapters: [Chapter] = []
    /// The title that the playlist or the manifest states, or nil if there is none.
    package var title: String?

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

    /// Returns the records of a new download, which has no parts on disk.
    package func newRecords() -> [PartRecord] {
        entries.map { PartRecord($0.id, $0.part) }
    }

    /// Returns records of the plan with the files of recorded subtitles.
    ///
    /// Subtitles never prevent the rest of the stream from being kept.
    package func keepingTexts(
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
    /// The records have the addresses of the plan, because recorded addresses may have expired.
    ///
    /// A track without a record is new. A part with a changed query is kept, and `hasOtherQuery`
    /// marks the part.
    ///
    /// - Parameters:
    ///   - recorded: The recorded parts.
    ///   - isReplaced: Whether the user has replaced the address of the media, so that the paths of
    ///     the parts may differ.
    /// - Returns: The records, or nil if the recorded parts belong to other media, whose files must
    ///   not be used.
    package func keeping(_ recorded: [PartRecord], isReplaced: Bool = false) -> [PartRecord]? {
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
                // The server may drop a segment that is already on disk.
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

    /// The identity without the last word, which is the path of an address.
    fileprivate var withoutPath: Substring { self[..<(lastIndex(of: " ") ?? endIndex)] }
}

/// One sequence of parts, such as the pictures of a stream.
package struct Track: Hashable, Sendable {
    /// The parts in order.
    package var parts: [Part]
    /// The content that the file keeps of the track.
    package var description = TrackDescription()
}

/// A part of a track: a file on the server, or a range of a file.
package struct Part: Hashable, Sendable {
    /// The address of the file that contains the part.
    package var address: WebAddress
    /// The range of the part in that file, or nil for the whole file.
    package var range: HTTPByteRange?
    /// One line of text that identifies the part when a source plans the media again.
    package var identity: String
    /// The key, or nil if the part is not encrypted.
    package var key: DecryptionKey?
    /// The duration in seconds that the server states, or nil if the server states none.
    package var duration: Double?
    /// Whether the part is an initialization section, which the following parts require.
    package var isInitialization = false
    /// Whether timestamps, tracks and formats may change before the part.
    package var isDiscontinuity = false
    /// Whether the server lacks the part.
    ///
    /// Such a part is not fetched and has no file.
    package var isGap = false
    /// Whether the part holds subtitles.
    ///
    /// This value is not stored, because the track shows it.
    package var isText = false

    /// Creates a part.
    package init(
        address: WebAddress,
        range: HTTPByteRange? = nil,
        identity: String,
        key: DecryptionKey? = nil,
        duration: Double? = nil,
        isInitialization: Bool = false,
        isDiscontinuity: Bool = false,
        isGap: Bool = false,
        isText: Bool = false
    ) {
        self.address = address
        self.range = range
        self.identity = identity
        self.key = key
        self.duration = duration
        self.isInitialization = isInitialization
        self.isDiscontinuity = isDiscontinuity
        self.isGap = isGap
        self.isText = isText
    }
}

/// The AES-128 key of a part.
package struct DecryptionKey: Hashable, Sendable {
    /// The address of the key.
    package var address: WebAddress
    /// The initialization vector, of 16 bytes.
    package var iv: [UInt8]

    /// Creates a key.
    package init(address: WebAddress, iv: [UInt8]) {
        self.address = address
        self.iv = iv
    }
}
