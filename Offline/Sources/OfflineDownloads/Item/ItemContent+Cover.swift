// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel
import OfflineSources
import Tidings
import TidingsFiles
import TidingsHTTP

extension ItemContent {
    /// Keeps the picture that a page or a feed names, until the item is ready.
    ///
    /// An item is complete without the picture. Only a cancellation ends the download.
    ///
    /// - Parameters:
    ///   - address: The address of the picture.
    ///   - page: The page that names the picture.
    ///   - origin: The endpoint of the item.
    ///   - isNew: Whether the stored picture, if any, belongs to another page or film.
    /// - Returns: Whether the picture of the page is stored.
    /// - Throws: An error only if the download is cancelled.
    func keepCover(
        at address: WebAddress,
        of page: WebAddress,
        from origin: HTTPClients.Endpoint,
        isNew: Bool
    ) async throws -> Bool {
        let directory = environment.directory
        let cover = Cover(path: directory.cover(of: id))
        if !isNew, SystemFile.size(of: cover.path) != nil { return true }
        let bytes = try await requests(at: origin).referred(by: page)
            .attachment(at: address, limit: Cover.limit)
        guard let bytes else { return false }
        do {
            try SystemFile.makeFolder(directory.work(of: id))
            try await cover.write(bytes)
            return true
        } catch {
            try Task.checkCancellation()
            return false
        }
    }
}
