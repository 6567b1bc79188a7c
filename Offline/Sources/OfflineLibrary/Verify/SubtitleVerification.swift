// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel
import OfflineStore
import TidingsFiles

/// Compares the subtitles beside a film with the recorded checksums, and changes no file.
struct SubtitleVerification: Sendable {
    /// Subtitles that could not be confirmed.
    struct Fault: Hashable, Sendable {
        let outcome: VerificationReport.Outcome
        /// The fault, for the user.
        let message: String
    }

    let directory: LibraryDirectory
    let records: FileRecords
    /// The subtitles that the folder had at the start.
    let index: SubtitleIndex
    /// Whether changed subtitles are recorded as they are now.
    let acceptsChanges: Bool

    /// Reads the subtitles of an item, and records the checksums of new subtitles.
    ///
    /// - Throws: The error of `check`, and `SQLiteError`.
    func faults(of item: MediaItem, _ check: () throws -> Void) throws -> [Fault] {
        guard let film = item.fileName else { return [] }
        let stem = SubtitleFile.stem(of: film)
        let recorded = try records.subtitleChecksums(of: item.id)
        let present = index.files(of: film).map { String($0.name.dropFirst(stem.count)) }
        var faults: [Fault] = []
        for suffix in Set(present).union(recorded.keys).sorted() {
            let name = stem + suffix
            let found: SubtitleChecksum?
            do {
                found = try SubtitleChecksum(ofFileAt: directory.mediaFile(name), check)
            } catch let error as SystemError {
                let reason = error.descriptionWithPath
                let text = "The subtitles \(name) cannot be read (\(reason)). Check the disk."
                faults.append(Fault(outcome: .unreadable, message: text))
                continue
            }
            guard found != recorded[suffix] else { continue }
            if let earlier = recorded[suffix], !acceptsChanges {
                faults.append(Self.fault(name, found: found, earlier: earlier))
            } else {
                try records.setSubtitleChecksum(found, suffix, of: item.id)
            }
        }
        return faults
    }

    private static func fault(
        _ name: String,
        found: SubtitleChecksum?,
        earlier: SubtitleChecksum
    ) -> Fault {
        guard let found else {
            return Fault(outcome: .missing, message: "The subtitles \(name) are missing.")
        }
        let difference =
            found.size == earlier.size
            ? "other bytes than before, although their size is the same"
            : "\(found.size) bytes instead of \(earlier.size)"
        return Fault(outcome: .damaged, message: "The subtitles \(name) have \(difference).")
    }
}
