// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import Tidings
import TidingsHTTP

/// Converts a decoded catalog into a valid catalog: cleans text, resolves addresses and checks
/// limits.
struct CatalogBuilder {
    let address: WebAddress
    let limits: CatalogLimits
    private var ids: Set<String> = []
    private var addressBytes = 0

    init(address: WebAddress, limits: CatalogLimits) {
        self.address = address
        self.limits = limits
    }

    /// Converts all groups, and throws at the first invalid lesson.
    mutating func groups(_ decoded: [DecodedCatalog.Group]) throws(CatalogError) -> [LessonGroup] {
        var groups: [LessonGroup] = []
        groups.reserveCapacity(decoded.count)
        for (index, group) in decoded.enumerated() {
            var lessons: [Lesson] = []
            lessons.reserveCapacity(group.lessons.count)
            for (number, lesson) in group.lessons.enumerated() {
                lessons.append(try self.lesson(lesson, "\(number + 1) of group \(index + 1)"))
            }
            let title = Title(line: group.title ?? "", fallback: "").text
            groups.append(LessonGroup(title: title, lessons: lessons))
        }
        return groups
    }

    private mutating func lesson(
        _ decoded: DecodedCatalog.Lesson,
        _ position: @autoclosure () -> String
    ) throws(CatalogError) -> Lesson {
        let id = Title(line: decoded.id, longest: limits.idLength + 1, fallback: "").text
        // Paths of the API contain the identifier, and dot segments would change the path.
        guard !id.isEmpty, id != ".", id != "..", id.count <= limits.idLength else {
            throw CatalogError(
                .notACatalog,
                "Lesson \(position()) of the catalog has no identifier of 1 to \(limits.idLength) "
                    + "characters. Contact the publisher of the catalog."
            )
        }
        guard ids.insert(id).inserted else {
            throw CatalogError(
                .duplicateLesson,
                "Two lessons of the catalog have the same identifier “\(id)”. Contact the "
                    + "publisher of the catalog."
            )
        }
        return Lesson(
            id: id,
            title: Title(line: decoded.title ?? "", fallback: id).text,
            audio: try resolve(decoded.audio, .audio, of: id),
            video: try resolve(decoded.video, .video, of: id),
            text: try resolve(decoded.text, .text, of: id)
        )
    }

    private mutating func resolve(
        _ reference: String?,
        _ part: LessonPart,
        of id: String
    ) throws(CatalogError) -> WebAddress? {
        guard let reference, !reference.isEmpty else { return nil }
        guard reference.utf8.count <= limits.addressBytes else { throw tooLong(part, of: id) }
        let resolved: WebAddress
        do {
            resolved = try address.resolving(reference)
        } catch {
            throw CatalogError(
                .forbiddenAddress,
                "The \(part.rawValue) of lesson “\(id)” is not a web address: only http and https "
                    + "are supported. Contact the publisher of the catalog.",
                cause: error
            )
        }
        let count = resolved.text.utf8.count
        guard count <= limits.addressBytes else { throw tooLong(part, of: id) }
        addressBytes += count
        guard addressBytes <= limits.totalAddressBytes else {
            throw CatalogError(
                .tooLarge,
                "The addresses in the catalog exceed \(limits.totalAddressBytes >> 20) MiB. Ask "
                    + "the publisher to split the catalog."
            )
        }
        return resolved
    }

    private func tooLong(_ part: LessonPart, of id: String) -> CatalogError {
        CatalogError(
            .tooLarge,
            "The address of the \(part.rawValue) of lesson “\(id)” is longer than "
                + "\(limits.addressBytes) bytes. Contact the publisher of the catalog."
        )
    }
}
