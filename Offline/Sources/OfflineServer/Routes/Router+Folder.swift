// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings

extension Router {
    /// Returns where the library is, and whether the page can show it in the file manager.
    func folder(_ request: ServerRequest) -> ServerResponse {
        .json(
            FolderJSON(
                folder: library.directory.media,
                freeBytes: library.freeBytes,
                canShow: fileManager(for: request) != nil
            )
        )
    }

    /// Shows the folder of the library in the file manager of this machine.
    func showFolder(_ request: ServerRequest) async throws -> ServerResponse {
        try await show(library.directory.media, request)
    }

    /// Shows the file of an item in the file manager of this machine.
    func showFile(_ text: Substring, _ request: ServerRequest) async throws -> ServerResponse {
        let item = try library.item(try identifier(text))
        guard item.state == .ready, let name = item.fileName else {
            throw LibraryError(
                .notFound,
                "Item \(item.id) has no file: its state is \(item.state.rawValue)."
            )
        }
        return try await show(library.directory.mediaFile(name), request)
    }

    private func show(_ path: String, _ request: ServerRequest) async throws -> ServerResponse {
        guard let fileManager = fileManager(for: request), await fileManager(path) else {
            throw LibraryError(
                .unavailable,
                "This machine shows no folders to this page. The path is \(path)"
            )
        }
        return .json(ShownJSON(shown: path))
    }

    /// Returns the file manager for a page of this machine; a page elsewhere would open a window
    /// that its person does not see.
    private func fileManager(
        for request: ServerRequest
    ) -> (@Sendable (String) async -> Bool)? {
        let host = request.header("host") ?? ""
        let isHere = ["127.0.0.1", "localhost", "[::1]"].contains {
            host == $0 || host.hasPrefix($0 + ":")
        }
        return isHere ? showInFolder : nil
    }
}

/// The response of `GET /api/library`.
private struct FolderJSON: Encodable {
    let folder: String
    let freeBytes: Int64?
    let canShow: Bool
}

/// The response to a file or a folder that is shown.
private struct ShownJSON: Encodable {
    let shown: String
}
