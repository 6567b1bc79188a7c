// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsFiles
import TidingsHTTP

extension ItemContent {
    /// Keeps the picture that a page names, until the item is ready.
    ///
    /// An item is complete without it: no failure but a cancellation ends the download.
    func keepCover(
        at address: WebAddress,
        of page: WebAddress,
        from origin: HTTPClients.Endpoint
    ) async throws {
        let directory = environment.directory
        let cover = Cover(path: directory.cover(of: id))
        guard SystemFile.size(of: cover.path) == nil,
            let bytes = try await requests(at: origin).referred(by: page)
                .attachment(at: address, limit: Cover.limit)
        else { return }
        do {
            try SystemFile.makeFolder(directory.work(of: id))
            try await cover.write(bytes)
        } catch {
            try Task.checkCancellation()
        }
    }
}
