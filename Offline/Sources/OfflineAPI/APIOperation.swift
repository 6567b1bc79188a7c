// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// An operation of the HTTP interface, declared once.
///
/// The routes of the server, the client and the reference of the interface follow from the value.
/// The handler runs in the server, or in the process of a command that has the service itself.
package struct APIOperation<Service: Sendable, Input: OperationInput, Output: Codable & Sendable>:
    Sendable
{
    /// The work of an operation.
    typealias Handler<Result> = @concurrent @Sendable (Service, Input) async throws -> Result

    /// The place in the interface.
    package let endpoint: Endpoint
    /// Returns the result, and whether the operation has created something.
    fileprivate let handler: Handler<(Output, isNew: Bool)>

    /// Runs the operation in this process.
    package func run(on service: Service, _ input: Input) async throws -> Output {
        try await handler(service, input).0
    }
}

let get = OperationMethod(method: .get)
let post = OperationMethod(method: .post)
let put = OperationMethod(method: .put)
let patch = OperationMethod(method: .patch)
let delete = OperationMethod(method: .delete)

/// Declares operations with a method.
struct OperationMethod {
    fileprivate let method: HTTPRequest.Method

    /// Declares an operation with the statuses of the errors that the operation has.
    func callAsFunction<Service, Input, Output>(
        _ path: String,
        _ errors: Int...,
        status: Int = 200,
        run: @escaping APIOperation<Service, Input, Output>.Handler<Output>
    ) -> APIOperation<Service, Input, Output> {
        let endpoint = Endpoint(method, "/api\(path)", status: status, errors: errors)
        return APIOperation(endpoint: endpoint) { (try await run($0, $1), isNew: false) }
    }
}

/// Declares an operation with POST whose status is 201 if the operation has created something.
func create<Service, Input, Output>(
    _ path: String,
    _ errors: Int...,
    run: @escaping APIOperation<Service, Input, Output>.Handler<(Output, isNew: Bool)>
) -> APIOperation<Service, Input, Output> {
    APIOperation(endpoint: Endpoint(.post, "/api\(path)", errors: errors), handler: run)
}

/// An operation whose input and output are bytes.
package struct ListedOperation<Service: Sendable>: Sendable {
    /// The place in the interface.
    package let endpoint: Endpoint
    /// Runs the operation, and returns the status and the content, or nil without content.
    package let answer:
        @Sendable (RequestParts, Service) async throws -> (status: Int, content: [UInt8]?)
}

/// An operation in a list of operations of different types.
protocol AnyOperation: Sendable {
    var endpoint: Endpoint { get }
    /// The types of the input and the output, from which the types of the page's scripts follow.
    var types: (input: any OperationInput.Type, output: any Decodable.Type) { get }
    /// The `ListedOperation` of the same service.
    var listed: Any { get }
}

extension APIOperation: AnyOperation {
    var types: (input: any OperationInput.Type, output: any Decodable.Type) {
        (Input.self, Output.self)
    }

    var listed: Any {
        ListedOperation<Service>(endpoint: endpoint) { parts, service in
            let (output, isNew) = try await handler(service, try Input(parts))
            let status = isNew ? 201 : endpoint.status
            return (status, output is NoContent ? nil : JSONCoding.encode(output))
        }
    }
}
