// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

/// Makes the pictures of imported items in the background, one after another.
///
/// The registry names the items, so that a later start continues. Safe from any thread.
final class ImportedPictures: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isDue = false
        var isStopped = false
    }

    private let journal: ItemJournal
    private let directory: LibraryDirectory
    private let state = Lock(State())

    init(_ journal: ItemJournal, _ directory: LibraryDirectory) {
        self.journal = journal
        self.directory = directory
    }

    /// Begins to make the pictures that are due, or lets the running work find new ones.
    func start() {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.isDue = true
            if state.task == nil { state.task = Task { await run() } }
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
        var done: ItemID?
        while !Task.isCancelled, let item = try? journal.registry.nextForPicture(after: done) {
            await makePicture(of: item)
            guard !Task.isCancelled else { return }
            done = item.id
        }
    }

    private func makePicture(of item: MediaItem) async {
        guard let name = item.fileName else { return }
        let media = directory.mediaFile(name)
        // A file of another kind has no picture.
        guard let properties = try? await MediaProbe().probe(media) else { return }
        let picture = ItemPicture(path: directory.picture(of: item.id))
        guard await picture.make(of: media, properties) else { return }
        _ = try? journal.change(item.id, .picture(true))
    }
}
