// SPDX-License-Identifier: Apache-2.0
import OfflineDownloads
import OfflineModel
import OfflineStore
import Tidings

/// Runs a command for each item that becomes ready, one item after the other.
///
/// Downloads never wait for the command, and a failure becomes a note on the item. If the end of
/// this process interrupts a command, the command does not run again for the item.
package final class ReadyCommandRunner: Sendable {
    private let token: ObservationToken
    private let items: AsyncStream<MediaItem>.Continuation
    private let work: Task<Void, Never>

    /// Starts to observe a library.
    package init(_ command: ReadyCommand, for library: Library) {
        // The stream has one value for each finished download, so that no item is left out.
        let (stream, items) = AsyncStream.makeStream(of: MediaItem.self)
        self.items = items
        token = library.messages.observe(DownloadCompleted.self) { items.yield($0.item) }
        work = Task { [weak library] in
            for await item in stream {
                guard !Task.isCancelled, let library else { return }
                await Self.run(command, for: item, in: library)
            }
        }
    }

    private static func run(
        _ command: ReadyCommand,
        for item: MediaItem,
        in library: Library
    ) async {
        guard let file = library.path(of: item) else { return }
        let folder = library.directory.media
        guard let failure = await command.run(for: item, file: file, in: folder) else { return }
        let name = command.executable.split(separator: "/").last ?? ""
        let sentence = "The command \(name) failed for this item: \(failure)."
        // An item that was removed in the meantime needs no note.
        guard let present = try? library.item(item.id) else { return }
        let note = ItemNote([sentence], after: present.note)
        _ = try? library.journal.change(item.id, .set(\.note, note.text))
    }

    /// Stops the running command.
    ///
    /// Further items get no command.
    package func stop() async {
        token.cancel()
        items.finish()
        work.cancel()
        await work.value
    }
}
