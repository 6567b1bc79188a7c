// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineMedia
import OfflineModel
import OfflineStore
import Tidings
import TidingsFiles
import TidingsLock

/// The copies of films that play a sound other than the first.
///
/// Most browsers play the first sound of a film and offer no other sound. When a player asks for
/// another sound, the library makes a copy. Only one copy is made at a time, and callers that ask
/// for the same copy share it. Only the most recently used copies are kept, and no copy outlives
/// the process. Safe from any thread.
final class SoundCopies: Sendable {
    /// The largest number of copies on the disk.
    static let count = 2

    /// A version of the finished file of an item.
    struct Film: Sendable {
        let item: ItemID
        let path: String
        let stamp: FileStamp
        let mediaType: String?
    }

    private let directory: LibraryDirectory
    private let space: DiskSpace
    private let tools: SoundTools
    private let state = Lock(State())

    /// Creates an empty set of copies.
    init(_ directory: LibraryDirectory, _ space: DiskSpace, tools: SoundTools = SoundTools()) {
        (self.directory, self.space, self.tools) = (directory, space, tools)
    }

    /// Returns the path of a film's copy with the chosen sound, and makes the copy if none exists.
    ///
    /// Cancelling one caller does not affect the others.
    ///
    /// - Parameters:
    ///   - film: The film.
    ///   - number: The number of the sound within the film, starting at 1.
    /// - Returns: The path.
    /// - Throws: `LibraryError`: `.notFound` if the sound does not exist, `.diskFull`,
    ///   `.toolMissing`, `.unreadableSound`, and `.unavailable` at the end of the process.
    func file(of film: Film, sound number: Int) async throws(LibraryError) -> String {
        let key = Key(item: film.item, number: number, stamp: film.stamp)
        let path = directory.sound(number, of: film.item)
        let isThere = SystemFile.exists(path)
        let step = state.withLock { state in
            state.begin(key, isThere: isThere) { former in
                Task {
                    _ = await former?.value
                    return await self.make(film, key, at: path)
                }
            }
        }
        switch step {
        case .use: return path
        case .wait(let task): return try await task.value.get()
        case .refuse: throw Self.stopping
        }
    }

    /// Removes the copies of an item, and cancels the copies in progress.
    func remove(_ item: ItemID) {
        let (copies, tasks) = state.withLock { $0.remove { $0.item == item } }
        for task in tasks { task.cancel() }
        delete(copies)
    }

    /// Cancels the copies in progress, refuses further requests and removes all copies.
    func stop() async {
        let (_, tasks) = state.withLock { state in
            state.isStopped = true
            return state.remove { _ in true }
        }
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.value }
        Self.removeAll(in: directory)
    }

    /// Removes the copies of an earlier process.
    static func removeAll(in directory: LibraryDirectory) {
        SystemFile.removeFolder(directory.sounds)
    }

    private func make(
        _ film: Film,
        _ key: Key,
        at path: String
    ) async -> Result<String, LibraryError> {
        let part = path + ".part"
        do {
            guard let sound = try await tools.find(film, key.number) else {
                throw Self.noSound(key.number, of: key.item)
            }
            try await makeRoom(for: film, key)
            try await tools.make(film, sound, part)
            try await performBlocking { try self.enter(part, at: path, of: film, key) }
            return .success(path)
        } catch {
            await performBlocking { _ = try? SystemFile.remove(part) }
            let (isWanted, isStopped) = state.withLock { state in
                (state.making.removeValue(forKey: key) != nil, state.isStopped)
            }
            if isWanted { return .failure(Self.failure(error, of: key.item)) }
            return .failure(isStopped ? Self.stopping : LibraryError(noItem: key.item))
        }
    }

    /// Removes the copies that the new copy replaces, and checks the space.
    private func makeRoom(for film: Film, _ key: Key) async throws {
        let old = state.withLock { $0.makeRoom(for: key) }
        try await performBlocking {
            self.delete(old)
            if let free = self.space.free, film.stamp.size > free {
                // A film that a viewer plays now is worth more than a film that was played before.
                self.delete(self.state.withLock { $0.removeKept { _ in true } })
            }
            if let free = self.space.free, film.stamp.size > free {
                throw LibraryError(
                    .diskFull,
                    "The disk is full: the copy with another sound needs "
                        + "\(ByteCount.text(film.stamp.size)), and \(ByteCount.text(max(0, free))) "
                        + "are free in \(self.directory.data). Free some space, then try again."
                )
            }
            try SystemFile.makeFolder(self.directory.sounds)
        }
    }

    /// Renames a finished copy to the final name, unless the film has changed or is gone.
    private func enter(_ part: String, at path: String, of film: Film, _ key: Key) throws {
        guard FileStamp(of: film.path) == film.stamp else {
            throw LibraryError(
                .notFound,
                "The file of item \(film.item) has changed meanwhile. Choose the sound again."
            )
        }
        // A copy that is made again gets the same validator, so that a player can continue.
        let time = Date(timeIntervalSince1970: Double(film.stamp.modified) / 1e9)
        try? FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: part)
        try SystemFile.rename(part, to: path)
        guard !state.withLock({ $0.keep(key) }) else { return }
        try SystemFile.remove(path)
        throw CancellationError()
    }

    private func delete(_ copies: [Key]) {
        for copy in copies {
            _ = try? SystemFile.remove(directory.sound(copy.number, of: copy.item))
        }
    }
}
