// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings

/// The request of `POST /api/verify`.
struct VerifyJSON: Codable, Sendable {
    /// The items; absent or empty for all.
    var ids: [ItemID]?
}

extension Router {
    /// Returns the progress of the verification, or the result of the last one.
    func verification() -> ServerResponse { .json(library.verification.report) }

    /// Begins to verify the files of items.
    ///
    /// Concurrent, because the list of all items takes some time.
    @concurrent
    func verify(_ request: ServerRequest) async throws -> ServerResponse {
        let wanted = try JSONCoding.decode(VerifyJSON.self, from: request.body)
        return .json(try library.verify(Set(wanted.ids ?? [])), status: 202)
    }

    /// Stops the verification.
    func stopVerification() -> ServerResponse {
        library.verification.stop()
        return verification()
    }
}
