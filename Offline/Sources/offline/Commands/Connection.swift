// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineLibrary
import OfflineMedia
import OfflineModel

/// A service that this process has, or that a running server has.
///
/// Each operation runs in the process or in the server, with the same input and output.
enum Connection<Service: Sendable>: Sendable {
    /// The service of this process.
    case here(Service)
    /// The server that has the service.
    case server(APIClient)

    /// Whether a running server has the service.
    ///
    /// The server downloads queued items without a further command.
    var isServed: Bool {
        if case .server = self { true } else { false }
    }

    /// Runs an operation.
    ///
    /// - Throws: The error of the operation, or of the connection to the server.
    @discardableResult
    func call<Input, Output>(
        _ operation: APIOperation<Service, Input, Output>,
        _ input: Input
    ) async throws -> Output {
        switch self {
        case .here(let service): try await operation.run(on: service, input)
        case .server(let client): try await client.call(operation, input)
        }
    }

    /// Runs an operation without an input.
    @discardableResult
    func call<Output>(
        _ operation: APIOperation<Service, NoContent, Output>
    ) async throws -> Output {
        try await call(operation, NoContent())
    }
}

extension Connection<Library> {
    /// Returns the items that contain all words of a search, or all items for an empty search.
    func items(matching words: String) async throws -> [ItemRepresentation] {
        var query = ItemQuery(words: try SearchWords(words), count: ItemQuery.maximumCount)
        var items: [ItemRepresentation] = []
        repeat {
            let page = try await call(API.items.list, .page(query, search: words))
            items += page.items
            query.after = page.next
        } while query.after != nil
        return items
    }

    /// Stops the work of this process.
    ///
    /// A running server continues.
    func stop() async {
        switch self {
        case .here(let library): await library.stop()
        case .server(let client): client.close()
        }
    }
}
