// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

extension Router {
    /// Returns the other machines of the household; none without `--join`.
    func machines() -> ServerResponse {
        .json(household?.overview() ?? HouseholdOverview())
    }

    /// Hands an address to a machine of the household.
    func handOver(_ request: ServerRequest) async throws -> ServerResponse {
        guard let household else {
            throw HandoverError(
                "This library is in no household. Start its server with --join nats://HOST:PORT."
            )
        }
        let wanted = try JSONCoding.decode(HandoverJSON.self, from: request.body)
        let download = try download(request)
        let plain = DownloadRequest(download.origin, choice: download.choice)
        guard download == plain, case .address = download.origin else {
            throw ServerError(
                .badRequest,
                "Only the address and the choice of quality, languages and part reach another "
                    + "machine. Leave out the other members."
            )
        }
        return .json(try await household.handOver(plain, to: wanted.on), status: 202)
    }
}

/// The member of `POST /api/machines/downloads` beside those of a download.
private struct HandoverJSON: Decodable {
    /// The name of a machine, or `any`.
    let on: String
}
