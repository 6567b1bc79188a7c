// SPDX-License-Identifier: Apache-2.0
package import Foundation
import OfflineModel
import Tidings
package import TidingsHTTP

/// The JSON document of a catalog, which is untrusted input.
///
/// ```json
/// {"format": 1, "title": "French", "groups": [{"title": "First steps", "lessons": [
///   {"id": "1", "title": "Bonjour", "audio": "1.mp3", "video": "1.m3u8", "text": "1.txt"}]}]}
/// ```
///
/// Addresses may be relative to the document's address. Unknown members are ignored. A document
/// with a newer format, a duplicate identifier or a size beyond a limit is rejected as a whole,
/// because users could not recognize an incomplete catalog.
package enum CatalogDocument {
    /// The newest supported format.
    package static let format = 1

    /// Decodes a document.
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - requestedAddress: The requested address.
    ///   - address: The address of the document after redirects, which resolves relative addresses.
    ///   - date: The time at which the document was loaded.
    ///   - limits: The largest catalog to accept.
    /// - Returns: The catalog with absolute addresses.
    /// - Throws: `CatalogError` that describes the first problem.
    package static func decode(
        _ bytes: [UInt8],
        requestedAddress: WebAddress,
        at address: WebAddress,
        date: Date = Date(),
        limits: CatalogLimits = CatalogLimits()
    ) throws(CatalogError) -> Catalog {
        guard bytes.count <= limits.bytes else { throw tooLong(limits) }
        let document = try parse(Data(bytes), limits)
        var builder = CatalogBuilder(address: address, limits: limits)
        return Catalog(
            address: requestedAddress,
            title: Title(line: document.title ?? "", fallback: "").text,
            groups: try builder.groups(document.groups),
            loadedAt: date
        )
    }

    /// Creates the error for a document that exceeds the size limit.
    static func tooLong(_ limits: CatalogLimits) -> CatalogError {
        CatalogError(
            .tooLarge,
            "The catalog is larger than \(limits.bytes >> 20) MiB. Ask the publisher to split it."
        )
    }

    private static func parse(
        _ data: Data,
        _ limits: CatalogLimits
    ) throws(CatalogError) -> DecodedCatalog {
        let decoder = JSONDecoder()
        if let key = DecodedCatalog.limitsKey { decoder.userInfo[key] = limits }
        do {
            return try decoder.decode(DecodedCatalog.self, from: data)
        } catch let error as CatalogError {
            throw error
        } catch DecodingError.dataCorrupted(let context)
            where (try? JSONDecoder().decode(AnyJSON.self, from: data)) == nil
        {
            throw CatalogError(
                .notJSON,
                "This address did not return JSON. Use the address of a catalog, not of a page "
                    + "that shows one.",
                cause: DecodingError.dataCorrupted(context)
            )
        } catch {
            throw CatalogError(
                .notACatalog,
                "This address did not return a catalog\(position(of: error)). Check the address, "
                    + "or contact the publisher of the catalog.",
                cause: error
            )
        }
    }

    /// Decodes any valid JSON.
    private struct AnyJSON: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    /// Returns the position of an error in the document and a description of the error.
    ///
    /// The names come from this program, not from the document.
    private static func position(of error: any Error) -> String {
        let (path, problem): ([any CodingKey], String) =
            switch error {
            case DecodingError.keyNotFound(let key, let context):
                (context.codingPath + [key], "is missing")
            case DecodingError.typeMismatch(_, let context):
                (context.codingPath, "has the wrong type")
            case DecodingError.valueNotFound(_, let context):
                (context.codingPath, "is null")
            default:
                ([], "")
            }
        guard !path.isEmpty else { return "" }
        let names = path.map { key in
            key.intValue.map { String($0 + 1) } ?? String(key.stringValue.prefix(20))
        }
        return ": \(names.joined(separator: " ")) \(problem)"
    }
}
