// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsFiles
import TidingsLock
import TidingsSQLite

/// Makes the pictures of imported items in the background, those of the newest items first.
///
/// Downloads never wait for it: its processes run with the lowest priority, at most two at a time.
/// The registry marks the items, so that a later start continues. Safe from any thread.
final class ImportedPictures: Sendable {
    /// Makes the picture of an item from its file.
    typealias Maker =
        @Sendable (
            _ picture: ItemPicture,
            _ media: String,
            _ duration: Double?
        ) async throws(MediaError) -> Void

    /// The number of pictures that are made at a time.
    static let makerCount = 2

    private struct State {
        var task: Task<Void, Never>?
        var isDue = false
        var isStopped = false
    }

    private let journal: ItemJournal
    private let directory: LibraryDirectory
    private let make: Maker
    private let state = Lock(State())

    init(
        _ journal: ItemJournal,
        _ directory: LibraryDirectory,
        make: @escaping Maker = ImportedPictures.makeSlowly
    ) {
        self.journal = journal
        self.directory = directory
        self.make = make
    }

    /// Begins to make the pictures that are due, or lets the running work find new ones.
    func start() {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.isDue = true
            if state.task == nil { state.task = Task(priority: .background) { await run() } }
        }
    }

    /// Returns after the end of the work.
    func end() async {
        await state.withLock(\.task)?.value
    }

    /// Interrupts the work; a later start of the library continues it.
    func stop() async {
        let task = state.withLock { state in
            state.isStopped = true
            return state.task
        }
        task?.cancel()
        await task?.value
    }

    private func run() async {
        while begins() { await makeAll() }
    }

    /// Returns whether there is work; else the next start needs another task.
    private func begins() -> Bool {
        state.withLock { state in
            defer { state.isDue = false }
            if !state.isDue || state.isStopped { state.task = nil }
            return state.task != nil
        }
    }

    /// A registry that cannot be read or written shows its error elsewhere, and keeps the rest.
    private func makeAll() async {
        await withTaskGroup(of: Void.self) { group in
            var last: ItemID?
            var running = 0
            while !Task.isCancelled,
                let item = try? journal.registry.nextForPicture(before: last)
            {
                last = item.id
                group.addTask { await self.makePicture(of: item) }
                running += 1
                guard running == Self.makerCount else { continue }
                await group.next()
                running -= 1
            }
        }
    }

    private func makePicture(of item: MediaItem) async {
        guard !Task.isCancelled, let name = item.fileName else { return }
        let media = directory.mediaFile(name)
        let picture = ItemPicture(path: directory.picture(of: item.id))
        do throws(MediaError) {
            try await make(picture, media, item.duration)
        } catch {
            // Another attempt may succeed, also that of a file which was just renamed.
            let isFinal = ![.cancelled, .toolMissing, .cannotRead].contains(error.code)
            guard isFinal, !Task.isCancelled else { return }
            _ = try? journal.registry.update(item.id, nil, [.picture(false)])
            return
        }
        do throws(SQLiteError) {
            guard try journal.change(item.id, .picture(true)) == nil else { return }
            // The item was removed in the meantime.
            _ = try? SystemFile.remove(picture.path)
        } catch {
            // The item is still due.
        }
    }

    /// Makes a picture with what other programs leave of the processor.
    private static func makeSlowly(
        _ picture: ItemPicture,
        _ media: String,
        _ duration: Double?
    ) async throws(MediaError) {
        try await picture.make(of: media, duration: duration, by: Thumbnailer(isUrgent: false))
    }
}
