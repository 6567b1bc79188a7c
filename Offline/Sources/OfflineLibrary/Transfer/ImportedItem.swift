// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineMedia
import OfflineModel
import OfflineStore
import TidingsFiles

/// A checked item of an imported document.
struct ImportedItem: Sendable {
    let origin: ItemOrigin
    let choice: MediaChoice
    let line: LibraryDocument.Item
    let title: String
    let options: RequestOptions
    /// Whether the document asks for private addresses and the user permits such addresses.
    let allowsPrivate: Bool
    let chapters: [Chapter]
    /// The name of the finished file, or nil for an unfinished item.
    let fileName: String?
    /// Whether the file is in the library's folder.
    let hasFile: Bool

    /// The state in the library.
    ///
    /// An imported item never starts a download by itself.
    var state: ItemState {
        switch line.state {
        case .ready, .missing: hasFile ? .ready : .missing
        case .unverified: hasFile ? .unverified : .missing
        case .failed: .failed
        case .queued, .fetchingPlaylist, .fetching, .muxing, .verifying, .paused: .paused
        }
    }

    /// Checks an item of a document that may come from anywhere.
    ///
    /// - Throws: `ImportFault` with the reason why the item is refused.
    init(_ line: LibraryDocument.Item, in directory: LibraryDirectory, allowsPrivate: Bool) throws {
        guard !line.address.isEmpty, line.address.utf8.count <= 8_192 else {
            throw ImportFault("The address is empty or too long.")
        }
        // An address that this version refuses stays in the list, as in the registry.
        origin = ItemOrigin(stored: line.address)
        do {
            choice = try MediaChoice(
                quality: line.quality,
                audio: line.audio,
                subtitles: line.subtitles,
                chapters: line.keptChapters
            )
            options = try Self.options(line, of: origin)
        } catch let error as LibraryError {
            throw ImportFault(error.message)
        } catch let error as PlaylistError {
            throw ImportFault(error.message)
        }
        self.allowsPrivate = allowsPrivate && line.allowPrivate == true
        chapters = Chapter.list((line.chapters ?? []).map { (start: $0.start, title: $0.title) })
        let isFinished = [.ready, .missing, .unverified].contains(line.state)
        if let name = line.fileName {
            guard LibraryDirectory.isMediaName(name), name.utf8.count <= 255 else {
                throw ImportFault("“\(name.prefix(40))” is not the name of a file.")
            }
        }
        let numbers = [
            line.size.map(Double.init), line.duration, line.live?.seconds, line.playback?.seconds,
        ]
        guard numbers.allSatisfy({ $0.map { $0.isFinite && $0 >= 0 } ?? true }),
            [line.width, line.height].allSatisfy({ $0.map { $0 >= 0 } ?? true }),
            (line.size ?? 0) <= 1 << 50, (line.playback?.seconds ?? 0) <= Playback.longestTime,
            line.live?.seconds.map(LiveRecording.isValid(seconds:)) ?? true
        else { throw ImportFault("A number is out of range.") }
        if let sha256 = line.marks.sha256, (try? Checksum("sha256:" + sha256))?.digits != sha256 {
            throw ImportFault("“sha256” is not a checksum.")
        }
        try Self.check(line.subtitleChecksums ?? [:], beside: line.fileName)
        self.line = line
        title = Title(line: line.title, fallback: Title(origin: origin).text).text
        fileName = isFinished ? line.fileName : nil
        hasFile =
            fileName.flatMap { SystemFile.size(of: directory.mediaFile($0)) } == line.size
            && line.size != nil
    }

    /// Returns the row of a new item.
    ///
    /// - Parameters:
    ///   - position: The position in the order of the queue.
    ///   - isNameTaken: Whether another item has the name of the file.
    /// - Returns: The row.
    func row(at position: Int64, isNameTaken: Bool) -> StoredItem {
        var (fields, marks) = (line.fields, line.marks)
        let interrupted = ItemFailure(code: "interrupted", message: "interrupted")
        fields.title = title
        fields.state = isNameTaken ? .missing : state
        fields.error = fields.state == .failed ? line.error ?? interrupted : nil
        fields.fileName = isNameTaken ? nil : fileName
        if fields.fileName == nil {
            fields.size = nil
            (marks.sha256, marks.modified) = (nil, nil)
        }
        let item = MediaItem(
            id: ItemID(rawValue: 0),
            origin: origin,
            choice: choice,
            allowsPrivateAddresses: allowsPrivate,
            hasPicture: false,
            position: position,
            titleSource: nil,
            fields: fields
        )
        return StoredItem(item, marks: marks, options: options)
    }

    /// Checks that the checksums belong to subtitles beside a film.
    private static func check(
        _ checksums: [String: SubtitleChecksum],
        beside film: String?
    ) throws(ImportFault) {
        let isValid = checksums.allSatisfy { suffix, checksum in
            guard let film, ContentKind.isMedia(fileName: film),
                SubtitleFile(SubtitleFile.stem(of: film) + suffix, beside: film) != nil
            else { return false }
            return (0...(1 << 50)).contains(checksum.size)
                && (try? Checksum("sha256:" + checksum.sha256))?.digits == checksum.sha256
        }
        guard isValid else { throw ImportFault("“subtitleChecksums” is no list of checksums.") }
    }

    private static func options(
        _ line: LibraryDocument.Item,
        of origin: ItemOrigin
    ) throws(LibraryError) -> RequestOptions {
        let texts = RequestOptions.Texts(
            referrer: line.referrer,
            proxy: line.proxy,
            checksum: line.checksum,
            limit: line.limit
        )
        let options = try RequestOptions(texts)
        guard case .address(let address) = origin else { return RequestOptions() }
        return try options.kept(for: address)
    }
}
