// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings
import TidingsHTTP

extension Router {
    /// Returns what a download would fetch, with 200 also for media that cannot be kept.
    func inspect(_ request: ServerRequest) async throws -> ServerResponse {
        let wanted = try download(request) { text throws in
            if let origin = try? ItemOrigin(text: text), origin == .sample { return origin }
            let pasted = try PastedAddresses(text)
            guard let address = pasted.addresses.first, pasted.addresses.count == 1 else {
                throw ServerError(
                    .badRequest,
                    "The text has \(pasted.addresses.count) addresses. Look at one at a time."
                )
            }
            return .address(address)
        }
        var inspection = try await library.inspect(wanted)
        if let title = wanted.title { inspection.title = title }
        return .json(inspection)
    }

    /// Returns a picture that an inspection has named: the page loads nothing of other servers.
    func inspectedPicture(_ request: ServerRequest) async throws -> ServerResponse {
        let picture = try await library.picture(
            at: try WebAddress(request.parameter("address") ?? ""),
            of: try request.parameter("page").map { try WebAddress($0) },
            allowingPrivate: request.parameter("allowPrivate") == "true"
        )
        return .bytes(picture.bytes, type: picture.mediaType)
    }
}
