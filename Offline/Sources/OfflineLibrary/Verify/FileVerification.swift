// SPDX-License-Identifier: Apache-2.0
import COfflinePriority
import OfflineDownloads
import OfflineMedia
import OfflineModel
import OfflineSources
import OfflineStore
import TidingsFiles
import TidingsHTTP
import TidingsSQLite

/// Compares the file of an item with the registry, and changes nothing on the disk.
struct FileVerification: Sendable {
    /// The result for an item.
    enum Result: Hashable, Sendable {
        /// The file has the recorded checksum.
        case intact
        /// The file had no checksum, and the current checksum is now recorded.
        case recorded
        /// The faults of the file and of the subtitles beside it.
        case problems([VerificationReport.Problem])
    }

    private let directory: LibraryDirectory
    private let journal: ItemJournal
    private let subtitles: SubtitleVerification

    /// Creates a verification.
    ///
    /// - Parameters:
    ///   - directory: The folders of the library.
    ///   - journal: The items of the library.
    ///   - acceptsSubtitles: Whether changed subtitles are recorded as they are now.
    init(directory: LibraryDirectory, journal: ItemJournal, acceptsSubtitles: Bool = false) {
        self.directory = directory
        self.journal = journal
        subtitles = SubtitleVerification(
            directory: directory,
            records: journal.files,
            index: SubtitleIndex(SystemFile.names(in: directory.media)),
            acceptsChanges: acceptsSubtitles
        )
    }

    /// Reads the whole file of an item, and the subtitles beside it.
    ///
    /// Blocks until the disk has returned all bytes.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - count: A closure that gets the number of bytes just read, and ends the reading with an
    ///     error.
    /// - Returns: The result, or nil if the item has changed in the meantime.
    /// - Throws: The error of `count`, and `SQLiteError`.
    func result(of item: MediaItem, _ count: (Int) throws -> Void) throws -> Result? {
        // The list of items is as old as the verification, which may take hours.
        guard let present = try journal.items.item(item.id), present.state == item.state else {
            return nil
        }
        let priority = offline_priority_lower()
        defer { offline_priority_restore(priority) }
        guard var result = try examine(present, count) else { return nil }
        if !result.isWithoutFile {
            // The progress counts only the bytes of the items' own files.
            let faults = try subtitles.faults(of: present) { try count(0) }
            result = result.adding(faults.map { problem(of: $0, present) })
        }
        return try journal.items.item(item.id) == present ? result : nil
    }

    private func problem(
        of fault: SubtitleVerification.Fault,
        _ item: MediaItem
    ) -> VerificationReport.Problem {
        let command = "offline verify \(item.id) --accept-subtitles"
        let isUnreadable = fault.outcome == .unreadable
        let own = isUnreadable ? "" : "If the change is yours, `\(command)` keeps it. "
        let message = "\(fault.message) \(own)" + remedy(item, again: true)
        return VerificationReport.Problem(item, fault.outcome, message)
    }

    private func examine(_ item: MediaItem, _ count: (Int) throws -> Void) throws -> Result? {
        guard [.ready, .missing, .unverified].contains(item.state) else {
            let state = item.state.rawValue
            return problem(item, .unfinished, message: "It has no file yet: its state is \(state).")
        }
        let path = item.fileName.map(directory.mediaFile)
        guard let path, let size = SystemFile.size(of: path) else {
            return problem(item, .missing, message: "Its file is missing. " + remedy(item))
        }
        guard size == item.size else {
            let text = "Its file has \(size) bytes instead of \(item.size ?? 0). "
            return problem(item, .damaged, message: text + remedy(item))
        }
        let given = item.kind == .file ? (try? journal.items.options(of: item.id))?.checksum : nil
        let recorded = try journal.items.row(of: item.id)?.marks.sha256
        let digests: [Checksum.Algorithm: String]
        do {
            let algorithms = Set([.sha256] + (given.map { [$0.algorithm] } ?? []))
            digests = try FileDigest.digests(ofFileAt: path, algorithms, count)
        } catch let error as SystemError {
            let text = "Its file cannot be read (\(error.descriptionWithPath)). Check the disk. "
            return problem(item, .unreadable, message: text + remedy(item))
        }
        guard try journal.items.item(item.id) == item, let sha256 = digests[.sha256] else {
            return nil
        }
        let isAsGiven = given.map { digests[$0.algorithm] == $0.digits } ?? true
        guard isAsGiven, recorded == nil || recorded == sha256 else {
            let text = "Its file has other bytes than before, although its size is the same. "
            return problem(item, .damaged, message: text + remedy(item, again: true))
        }
        if recorded == nil { try journal.files.record(checksum: sha256, of: item) }
        return recorded == nil && given == nil ? .recorded : .intact
    }

    private func problem(
        _ item: MediaItem,
        _ outcome: VerificationReport.Outcome,
        message: String
    ) -> Result {
        .problems([VerificationReport.Problem(item, outcome, message)])
    }

    /// Returns the remedy for the user.
    ///
    /// `again` is true if the file still has the right size.
    private func remedy(_ item: MediaItem, again: Bool = false) -> String {
        guard case .address(let address) = item.origin else {
            return "Restore it from a copy."
        }
        // A resumed item keeps all options, but only a file of another size makes the item
        // incomplete.
        guard again else { return "Restore it from a copy, or run: offline resume \(item.id)" }
        let options = try? journal.items.options(of: item.id)
        let command = SuggestedCommand(item, options ?? RequestOptions())
        return "Restore it from a copy, or run\(command.reminder()): "
            + command.get(address.text, again: true)
    }
}

extension FileVerification.Result {
    /// Whether the item has no file whose subtitles could be compared.
    fileprivate var isWithoutFile: Bool {
        guard case .problems(let problems) = self else { return false }
        return problems.contains { [.missing, .unfinished].contains($0.outcome) }
    }

    fileprivate func adding(_ others: [VerificationReport.Problem]) -> Self {
        guard !others.isEmpty else { return self }
        guard case .problems(let problems) = self else { return .problems(others) }
        return .problems(problems + others)
    }
}
