// SPDX-License-Identifier: Apache-2.0
import OfflineDownloads
import OfflineMedia
import OfflineModel
import OfflineStore
import Tidings
import TidingsFiles
import TidingsLock
import TidingsSQLite

/// Checks imported files in the background and then makes the pictures, the newest items first.
///
/// Downloads never wait for this work, because at most two processes run at a time, with the lowest
/// priority. The registry marks the items, so that a later start continues the work. Safe from any
/// thread.
final class ImportWork: Sendable {
    /// Makes the picture of an item from its file.
    typealias Maker =
        @Sendable (
            _ picture: ItemPicture,
            _ media: String,
            _ duration: Double?
        ) async throws(MediaError) -> Void

    /// The number of items to work on at the same time.
    static let workerCount = 2
    /// The largest number of files that a refresh checks before the refresh ends.
    static let immediateCount = 100

    private struct State {
        var task: Task<Void, Never>?
        var isDue = false
        var isStarted = false
        var isStopped = false
    }

    private let journal: ItemJournal
    private let directory: LibraryDirectory
    private let make: Maker
    private let probe: MediaProbe
    private let state = Lock(State())

    init(
        _ journal: ItemJournal,
        _ directory: LibraryDirectory,
        make: @escaping Maker = ImportWork.makeSlowly,
        probe: MediaProbe = MediaProbe(isUrgent: false)
    ) {
        self.journal = journal
        self.directory = directory
        self.make = make
        self.probe = probe
    }

    /// Starts the work on due items.
    func start() {
        state.withLock { $0.isStarted = true }
        wake()
    }

    /// Makes started work look for new items.
    func wake() {
        state.withLock { state in
            guard state.isStarted, !state.isStopped else { return }
            state.isDue = true
            if state.task == nil { state.task = Task(priority: .background) { await run() } }
        }
    }

    /// Waits for the end of the work.
    func end() async {
        await state.withLock(\.task)?.value
    }

    /// Interrupts the work.
    ///
    /// A later start of the library continues the work.
    func stop() async {
        let task = state.withLock { state in
            state.isStopped = true
            return state.task
        }
        task?.cancel()
        await task?.value
    }

    private func run() async {
        while begins() {
            let check = ImportCheck(journal: journal, directory: directory, probe: probe)
            await forEach(journal.items.nextForCheck) { (try? await check.run($0)) != nil }
            await forEach(journal.items.nextForPicture) { await self.makePicture(of: $0) }
        }
    }

    /// Returns whether there is work.
    ///
    /// Without work, the next start needs another task.
    private func begins() -> Bool {
        state.withLock { state in
            defer { state.isDue = false }
            if !state.isDue || state.isStopped { state.task = nil }
            return state.task != nil
        }
    }

    /// Works on one item after the other, until `work` returns false because the registry failed.
    ///
    /// If the registry cannot be read or written, another part of the library reports the error,
    /// and the remaining items stay due.
    private func forEach(
        _ next: (_ last: ItemID?) throws(SQLiteError) -> MediaItem?,
        _ work: @escaping @Sendable (MediaItem) async -> Bool
    ) async {
        await withTaskGroup(of: Bool.self) { group in
            var last: ItemID?
            var running = 0
            while !Task.isCancelled, let item = try? next(last) {
                last = item.id
                group.addTask { Task.isCancelled ? false : await work(item) }
                running += 1
                guard running == Self.workerCount else { continue }
                guard await group.next() == true else { return }
                running -= 1
            }
        }
    }

    /// The result of the checks of a few files.
    struct Checks: Sendable {
        /// The messages about files that are not ready.
        var problems: [String] = []
        /// The number of files that cannot be played.
        var failures = 0
    }

    /// Checks all files now if they are few.
    func checkFew() async throws(SQLiteError) -> Checks {
        let checks = Lock(Checks())
        guard try journal.items.numberToCheck() <= Self.immediateCount else { return Checks() }
        let check = ImportCheck(journal: journal, directory: directory)
        await forEach(journal.items.nextForCheck) { item in
            do throws(SQLiteError) {
                switch try await check.run(item) {
                case .failed(let text):
                    checks.withLock { checks in
                        checks.problems.append(text)
                        checks.failures += 1
                    }
                case .due(let text?): checks.withLock { $0.problems.append(text) }
                case .ready, .due(nil): break
                }
                return true
            } catch {
                checks.withLock { $0.problems.append(error.message) }
                return false
            }
        }
        var result = checks.withLock(\.self)
        result.problems.sort()
        return result
    }

    /// Makes the picture of an item.
    ///
    /// Returns whether the registry could record the result.
    private func makePicture(of item: MediaItem) async -> Bool {
        guard let name = item.fileName else { return true }
        let media = directory.mediaFile(name)
        let picture = ItemPicture(path: directory.picture(of: item.id))
        do throws(MediaError) {
            try await make(picture, media, item.duration)
        } catch {
            // Unless the error is final, another attempt may succeed, for example after a rename of
            // the file.
            let isFinal = !error.code.isIndependentOfMedia && error.code != .cannotRead
            guard isFinal, !Task.isCancelled else { return true }
            do throws(SQLiteError) {
                try journal.change(item.id, .picture(false))
                return true
            } catch {
                return false
            }
        }
        do throws(SQLiteError) {
            guard try journal.change(item.id, .picture(true)) == nil else { return true }
            // The item was removed in the meantime.
            _ = try? SystemFile.remove(picture.path)
            return true
        } catch {
            // The item remains due.
            return false
        }
    }

    /// Makes a picture at a low priority, so that other programs come first.
    private static func makeSlowly(
        _ picture: ItemPicture,
        _ media: String,
        duration: Double?
    ) async throws(MediaError) {
        try await picture.make(of: media, duration: duration, by: Thumbnailer(isUrgent: false))
    }
}
