// SPDX-License-Identifier: Apache-2.0
import Tidings

extension Library {
    /// Returns the path of a file that plays a finished item with one of its sounds.
    ///
    /// The first sound needs no copy: browsers play it in the item's own file. Any other one takes
    /// as long as a copy of the file, unless it is there.
    ///
    /// - Parameters:
    ///   - number: The number of the sound among those of the item, from 1.
    ///   - id: The item.
    /// - Returns: The path.
    /// - Throws: `LibraryError`: `.notFound` without the item, its file or the sound, `.diskFull`,
    ///   `.toolMissing`, `.unreadableSound`, and `.unavailable` if the library is stopping.
    package func sound(_ number: Int, of id: ItemID) async throws(LibraryError) -> String {
        let item = try item(id)
        guard number > 0 else { throw SoundCopies.noSound(number, of: id) }
        guard let path = path(of: item), let stamp = FileStamp(of: path) else {
            throw LibraryError(.notFound, "Item \(id) has no file. Run a refresh, or retry it.")
        }
        if number == 1 { return path }
        let film = SoundCopies.Film(item: id, path: path, stamp: stamp, mediaType: item.mediaType)
        return try await sounds.file(of: film, sound: number)
    }

    /// Ends the copies in work, so that no player waits for one, and refuses further ones.
    package func stopSounds() async {
        await sounds.stop()
    }
}
