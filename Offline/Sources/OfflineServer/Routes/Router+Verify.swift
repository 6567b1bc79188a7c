// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings

/// The request of `POST /api/verify`.
struct VerifyJSON: Codable, Sendable {
    /// The items; absent or empty for all.
    var ids: [ItemID]?
    /// Whether changed and missing subtitles are recorded as they are now.
    var acceptSubtitles: Bool?
}

extension Router {
    /// Returns the progress or the result of the verification of `run`; by default the last one.
    func verification(_ request: ServerRequest) throws(LibraryError) -> ServerResponse {
        guard let text = request.parameter("run") else { return .json(library.verification.report) }
        guard let run = Int(text), let report = library.verification.report(of: run) else {
            throw LibraryError(
                .notFound,
                "There is no result of this verification any more. Verify the files again."
            )
        }
        return .json(report)
    }

    /// Begins to verify the files of items.
    ///
    /// Concurrent, because the list of all items takes some time.
    @concurrent
    func verify(_ request: ServerRequest) async throws -> ServerResponse {
        let wanted = try JSONCoding.decode(VerifyJSON.self, from: request.body)
        let report = try library.verify(
            Set(wanted.ids ?? []),
            acceptsSubtitles: wanted.acceptSubtitles ?? false
        )
        return .json(report, status: 202)
    }

    /// Stops the verification of `run`; by default the running one.
    func stopVerification(_ request: ServerRequest) throws(LibraryError) -> ServerResponse {
        let response = try verification(request)
        library.verification.stop(request.parameter("run").flatMap { Int($0) })
        return response
    }
}
