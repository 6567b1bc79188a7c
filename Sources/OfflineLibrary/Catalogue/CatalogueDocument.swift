// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Tidings
package import TidingsHTTP

/// The document that a catalogue comes as, read as if an enemy had written it.
///
/// ```json
/// {"format": 1, "title": "French", "groups": [{"title": "First steps", "lessons": [
///   {"id": "1", "title": "Bonjour", "audio": "1.mp3", "video": "1.m3u8", "text": "1.txt"}]}]}
/// ```
///
/// Addresses may be relative to the document's own. Members that are not known are ignored; a
/// document of a newer format, with two lessons of one identifier, or beyond a limit is refused as
/// a whole: half of a catalogue would look like all of it.
package enum CatalogueDocument {
    /// The newest format that this version reads.
    package static let format = 1

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - asked: The address that was asked for.
    ///   - address: Where the document was in the end, after redirects.
    ///   - date: When it came.
    ///   - limits: What it may take.
    /// - Returns: The catalogue, all addresses complete.
    /// - Throws: `CatalogueError` that names what is wrong.
    package static func decode(
        _ bytes: [UInt8],
        asked: WebAddress,
        at address: WebAddress,
        date: Date = Date(),
        limits: CatalogueLimits = CatalogueLimits()
    ) throws(CatalogueError) -> Catalogue {
        guard bytes.count <= limits.bytes else { throw tooLong(limits) }
        let document = try parse(Data(bytes), limits)
        var builder = CatalogueBuilder(address: address, limits: limits)
        return Catalogue(
            address: asked,
            title: Title(line: document.title ?? "", fallback: "").text,
            groups: try builder.groups(document.groups),
            loadedAt: date
        )
    }

    static func tooLong(_ limits: CatalogueLimits) -> CatalogueError {
        CatalogueError(
            .tooLarge,
            "The catalogue is larger than \(limits.bytes >> 20) MiB and is refused. Ask whoever "
                + "offers it to split it."
        )
    }

    private static func parse(
        _ data: Data,
        _ limits: CatalogueLimits
    ) throws(CatalogueError) -> WireCatalogue {
        let decoder = JSONDecoder()
        if let key = WireCatalogue.limitsKey { decoder.userInfo[key] = limits }
        do {
            return try decoder.decode(WireCatalogue.self, from: data)
        } catch let error as CatalogueError {
            throw error
        } catch DecodingError.dataCorrupted(let context)
            where (try? JSONDecoder().decode(AnyJSON.self, from: data)) == nil
        {
            throw CatalogueError(
                .notJSON,
                "What is at this address is not JSON. Check that it is the address of a "
                    + "catalogue, not of a page that shows one.",
                cause: DecodingError.dataCorrupted(context)
            )
        } catch {
            throw CatalogueError(
                .notACatalogue,
                "What is at this address is not a catalogue\(place(of: error)). Check the "
                    + "address, or tell whoever offers it.",
                cause: error
            )
        }
    }

    /// Whatever is JSON at all.
    private struct AnyJSON: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    /// Where in the document; the names are this program's own.
    private static func place(of error: any Error) -> String {
        let (path, problem): ([any CodingKey], String) =
            switch error {
            case DecodingError.keyNotFound(let key, let context):
                (context.codingPath + [key], "is missing")
            case DecodingError.typeMismatch(_, let context):
                (context.codingPath, "is of another type")
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
