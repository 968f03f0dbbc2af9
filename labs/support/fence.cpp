/// @file
/// The filter is a list of refused system calls and not of allowed ones: the C library and the sanitizers may use what
/// they like in any version, and what harms others is a short list.
#include "labs/support/fence.h"

#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "labs/support/visible_files.h"

namespace stagecraft::labs {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#else
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

/// Refused whatever their arguments. Names that a machine or an old header lacks are left out.
const uint32_t kRefused[] = {
    // other processes
    __NR_ptrace,
    __NR_process_vm_readv,
    __NR_process_vm_writev,
    __NR_tkill,
    __NR_rt_sigqueueinfo,
    __NR_rt_tgsigqueueinfo,
    __NR_execveat,
    __NR_setns,
    __NR_unshare,
#ifdef __NR_fork
    __NR_fork,
    __NR_vfork,
#endif
#ifdef __NR_pidfd_open
    __NR_pidfd_open,
#endif
#ifdef __NR_pidfd_send_signal
    __NR_pidfd_send_signal,
#endif
#ifdef __NR_pidfd_getfd
    __NR_pidfd_getfd,
#endif
    // network, and other ways to talk
    __NR_socket,
    __NR_socketpair,
    __NR_shmget,
    __NR_msgget,
    __NR_semget,
    __NR_mq_open,
    // files: none is changed or removed
    __NR_unlinkat,
    __NR_linkat,
    __NR_symlinkat,
    __NR_mkdirat,
    __NR_mknodat,
    __NR_fchmod,
    __NR_fchmodat,
    __NR_fchown,
    __NR_fchownat,
    __NR_truncate,
    __NR_ftruncate,
    __NR_fallocate,
    __NR_utimensat,
    __NR_setxattr,
    __NR_fsetxattr,
    __NR_removexattr,
    __NR_mount,
    __NR_umount2,
    __NR_chroot,
    __NR_pivot_root,
#ifdef __NR_renameat
    __NR_renameat,
#endif
#ifdef __NR_renameat2
    __NR_renameat2,
#endif
#ifdef __NR_openat2
    __NR_openat2,
#endif
#ifdef __NR_creat
    __NR_creat,
    __NR_unlink,
    __NR_rmdir,
    __NR_rename,
    __NR_link,
    __NR_symlink,
    __NR_mkdir,
    __NR_mknod,
    __NR_chmod,
    __NR_chown,
    __NR_lchown,
#endif
    // ways around a filter, and into the kernel
    __NR_bpf,
    __NR_perf_event_open,
    __NR_keyctl,
    __NR_add_key,
    __NR_memfd_create,
#ifdef __NR_io_uring_setup
    __NR_io_uring_setup,
#endif
#ifdef __NR_userfaultfd
    __NR_userfaultfd,
#endif
};

constexpr uint32_t kAllow = SECCOMP_RET_ALLOW;
constexpr uint32_t kRefuse = SECCOMP_RET_ERRNO | EPERM;
constexpr uint32_t kUnknown = SECCOMP_RET_ERRNO | ENOSYS;  // the C library then takes the older call

class Filter {
 public:
  explicit Filter(uint32_t own_process) {
    load(offsetof(seccomp_data, arch));
    unless_equal(kArchitecture, SECCOMP_RET_KILL_PROCESS);
    load_number();
#if defined(__x86_64__)
    constexpr uint32_t kX32Calls = 0x40000000u;
    add(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kX32Calls, 0, 1));
    answer(kRefuse);
#endif
    for (const uint32_t call : kRefused) if_equal(call, kRefuse);
#ifdef __NR_clone3
    if_equal(__NR_clone3, kUnknown);
#endif
    needs_bit(__NR_clone, 0, CLONE_THREAD);
    refuses_bits(__NR_openat, 2, kWritingFlags);
#ifdef __NR_open
    refuses_bits(__NR_open, 1, kWritingFlags);
#endif
    needs_value(__NR_kill, 0, own_process);
    needs_value(__NR_tgkill, 0, own_process);
    needs_value(__NR_prlimit64, 0, 0);
    answer(kAllow);
  }

  bool install() {
    const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  }

 private:
  static constexpr uint32_t kWritingFlags = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;

  void add(sock_filter instruction) { code_.push_back(instruction); }
  void load(size_t offset) { add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset))); }
  void load_number() { load(offsetof(seccomp_data, nr)); }
  void load_argument(size_t index) { load(offsetof(seccomp_data, args) + index * sizeof(uint64_t)); }  // low half
  void answer(uint32_t with) { add(BPF_STMT(BPF_RET | BPF_K, with)); }
  void if_equal(uint32_t value, uint32_t then) {
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
    answer(then);
  }
  void unless_equal(uint32_t value, uint32_t then) {
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0));
    answer(then);
  }
  /// The call `number` is decided by one argument: the two answers that follow the test `jump`.
  void decide(uint32_t number, size_t argument, sock_filter jump, uint32_t if_true, uint32_t if_false) {
    constexpr uint8_t kInstructions = 4;
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, kInstructions));
    load_argument(argument);
    add(jump);
    answer(if_true);
    answer(if_false);
  }
  void needs_bit(uint32_t number, size_t argument, uint32_t bit) {
    decide(number, argument, BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bit, 0, 1), kAllow, kRefuse);
  }
  void refuses_bits(uint32_t number, size_t argument, uint32_t bits) {
    decide(number, argument, BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1), kRefuse, kAllow);
  }
  void needs_value(uint32_t number, size_t argument, uint32_t value) {
    decide(number, argument, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1), kAllow, kRefuse);
  }

  std::vector<sock_filter> code_;
};

void limit(int resource, rlim_t most) {
  const rlimit value{most, most};
  (void)::setrlimit(static_cast<__rlimit_resource_t>(resource), &value);
}

/// Where a grader runs as root (in a container): root without its powers.
void drop_capabilities() {
  (void)::prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  (void)::syscall(SYS_capset, &header, none);
}

}  // namespace

bool enter_fence(const std::string& program, const Limits& limits) {
  constexpr rlim_t kSlackSeconds = 2;  // the check's own deadline comes first and says more
  limit(RLIMIT_CPU, static_cast<rlim_t>(std::ceil(limits.seconds)) + kSlackSeconds);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  drop_capabilities();
  (void)::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  std::vector<std::string> readable = limits.readable;
  readable.push_back(program);
  hide_other_files(readable);
  return Filter(static_cast<uint32_t>(::getpid())).install();
}

bool fence_is_available() {
  // A filter that does not exist: the kernel complains of the address if it has filters at all.
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, nullptr) == 0 || errno == EFAULT;
}

bool fence_hides_files() { return can_hide_files(); }

}  // namespace stagecraft::labs
