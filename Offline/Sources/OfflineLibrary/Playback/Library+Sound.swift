// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
import OfflineStore
import Tidings

extension Library {
    /// Returns the path of a file that plays a finished item with the chosen sound.
    ///
    /// The first sound needs no copy, because browsers play this sound from the item's own file.
    /// For another sound, the call takes as long as copying the file, unless the copy exists.
    ///
    /// - Parameters:
    ///   - number: The number of the sound within the item, starting at 1.
    ///   - id: The item.
    /// - Returns: The path.
    /// - Throws: `LibraryError`: `.notFound` if the item, the file or the sound does not exist,
    ///   `.diskFull`, `.toolMissing`, `.unreadableSound`, and `.unavailable` if the library is
    ///   stopping.
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

    /// Cancels the copies in progress, so that no player waits for a copy, and refuses further
    /// requests.
    package func stopSounds() async {
        await sounds.stop()
    }
}
