// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings

extension Router {
    /// Gives an item another title, and its file the name of it.
    func rename(_ text: Substring, _ request: ServerRequest) async throws -> ServerResponse {
        let wanted = try JSONCoding.decode(TitleJSON.self, from: request.body)
        let id = try identifier(text)
        _ = try await library.rename(id, to: wanted.title)
        return .json(try await library.details(of: id))
    }
}

/// The request of `POST /api/items/ID/rename`.
private struct TitleJSON: Decodable {
    var title: String
}
