// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineLibrary
import OfflineModel
import Tidings
import TidingsLock

extension Router {
    /// Returns the closure that creates the receiver of an upload, or nil for any other request.
    func receiver(for request: ServerRequest) -> ((_ length: Int64) -> any BodyReceiver)? {
        guard request.isUpload else { return nil }
        let name = request.parameter("name") ?? ""
        let film = request.parameter("beside")
        return { UploadReceiver(router: self, name: name, film: film, size: $0) }
    }
}

/// Passes the body of one request to an upload of the library.
private final class UploadReceiver: BodyReceiver {
    private let router: Router
    private let name: String
    private let film: String?
    private let size: Int64
    private let upload = Lock<Upload?>(nil)

    init(router: Router, name: String, film: String?, size: Int64) {
        (self.router, self.name, self.film, self.size) = (router, name, film, size)
    }

    func begin() async -> ServerResponse? {
        do {
            let film = try film.map { try ItemID(pathValue: $0) }
            let begun = try await router.library.uploads.begin(name, size: size, beside: film)
            upload.withLock { $0 = begun }
            return nil
        } catch {
            return .failure(error)
        }
    }

    func receive(_ bytes: [UInt8]) -> ServerResponse? {
        do throws(LibraryError) {
            try upload.withLock { $0 }?.append(bytes)
            return nil
        } catch {
            return .failure(error)
        }
    }

    func end() async -> ServerResponse {
        do throws(LibraryError) {
            guard let upload = upload.withLock({ $0 }) else {
                return .failure(APIError.nothingHere)
            }
            let result = try await upload.finish()
            return .json(
                router.library.representation(of: result.item),
                status: result.isNew ? 201 : 200
            )
        } catch {
            return .failure(error)
        }
    }

    func cancel() {
        let begun = upload.withLock { upload in
            defer { upload = nil }
            return upload
        }
        begun?.cancel()
    }
}
