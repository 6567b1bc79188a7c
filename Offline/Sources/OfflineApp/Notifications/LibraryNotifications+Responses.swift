// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineLibrary
import OfflineModel
import Tidings
import TidingsLock
import TidingsUserNotifications

extension LibraryNotifications {
    /// Posts the target of a response to a download's notification, and retries on `Retry`.
    func handle(_ response: UserNotificationResponse) {
        let content = response.notification.content
        if content.category == Category.device { return answer(response) }
        if content.category == Category.elsewhere {
            library.messages.post(targetElsewhere(of: response))
            return
        }
        guard let category = content.category, Category.all.contains(category) else { return }
        let target = target(of: response)
        library.messages.post(target)
        if response.action == .custom(Category.retry), let item = target.item { retry(item) }
    }

    func target(of response: UserNotificationResponse) -> NavigationRequested {
        let content = response.notification.content
        if content.category == Category.device { return settings(of: response) }
        if content.category == Category.elsewhere { return targetElsewhere(of: response) }
        let identifier = response.notification.identifier
        return NavigationRequested(
            place: Category.failures.contains(content.category ?? "") ? .downloads : .library,
            item: content.userInfo[Self.itemKey]?.string.flatMap { ItemID($0) },
            plays: response.action == .custom(Category.play),
            isInPage: pageResponses.withLock { $0.contains(identifier) },
            activationToken: response.activationToken
        )
    }

    private func retry(_ id: ItemID) {
        let library = library
        Task {
            do throws(LibraryError) {
                _ = try await library.retry(id)
            } catch {
                // Another client may have retried or removed the item in the meantime.
                guard error.code == .database else { return }
                library.messages.post(RegistryFailed(operation: "retry", error: error))
            }
        }
    }
}
