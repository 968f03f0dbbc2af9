#include "kernels/simulator/runtime/interrupts.h"

#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "kernels/simulator/runtime/host_memory.h"
#include "kernels/simulator/runtime/symbols.h"
#include "kernels/simulator/runtime/worker.h"

namespace simt::runtime {
namespace {

constexpr int kTimerSignal = SIGVTALRM;
constexpr size_t kHandlerStackBytes = 64 * 1024;
constexpr size_t kRescueStackBytes = 256 * 1024;
constexpr double kSecondsBetweenAttempts = 0.01;  // once a block is overdue, until its fiber can be diverted

// What handled these signals before: gets those that are none of a kernel's.
struct sigaction previous_segv, previous_bus;

void install(int signal, void (*handler)(int, siginfo_t*, void*), struct sigaction* previous) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigemptyset(&action.sa_mask);
  struct sigaction replaced {};
  sigaction(signal, &action, &replaced);
  if (previous && replaced.sa_sigaction != handler) *previous = replaced;
}

void set_period(timer_t timer, double seconds) {
  const time_t whole = static_cast<time_t>(seconds);
  const timespec period{whole, static_cast<long>((seconds - double(whole)) * 1e9)};
  const itimerspec setting{period, period};
  timer_settime(timer, 0, &setting, nullptr);
}

uintptr_t interrupted_code(void* context) {
  const mcontext_t& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<uintptr_t>(machine.gregs[REG_RIP]);
#else
  return machine.pc;
#endif
}

}  // namespace

Interrupts::Interrupts()
    : handler_stack_(reserve_host_memory(kHandlerStackBytes)), rescue_stack_(reserve_host_memory(kRescueStackBytes)) {
  stack_t stack{};
  stack.ss_sp = handler_stack_;
  stack.ss_size = kHandlerStackBytes;
  sigaltstack(&stack, nullptr);
  install(kTimerSignal, &Interrupts::on_timer, nullptr);
  install(SIGBUS, &Interrupts::on_fault, &previous_bus);
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = kTimerSignal;
  event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));  // glibc 2.36 has no other name for it
  has_timer_ = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer_) == 0;
}

Interrupts::~Interrupts() {
  if (has_timer_) timer_delete(timer_);
  stack_t stack{};
  stack.ss_flags = SS_DISABLE;
  sigaltstack(&stack, nullptr);
  release_host_memory(handler_stack_, kHandlerStackBytes);
  release_host_memory(rescue_stack_, kRescueStackBytes);
}

void Interrupts::arm(double seconds_per_block) {
  install(SIGSEGV, &Interrupts::on_fault, &previous_segv);
  if (!has_timer_ || seconds_per_block == armed_seconds_) return;
  armed_seconds_ = seconds_per_block;
  set_period(timer_, seconds_per_block);
}

void Interrupts::on_fault(int signal, siginfo_t* info, void* context) {
  Worker* worker = Worker::running();
  if (!worker || !worker->lane() || worker->busy) {
    sigaction(signal, signal == SIGSEGV ? &previous_segv : &previous_bus, nullptr);
    return;  // the instruction faults again, for that handler
  }
  const uintptr_t address = reinterpret_cast<uintptr_t>(info->si_addr);
  const bool overflow = worker->fibers().in_guard_page(address);
  worker->interruption = {overflow ? Interruption::Kind::stack_overflow : Interruption::Kind::bad_address,
                          interrupted_code(context), address};
  Interrupts& own = worker->interrupts();
  divert(context, overflow ? reinterpret_cast<uintptr_t>(own.rescue_stack_) + kRescueStackBytes : 0);
}

void Interrupts::on_timer(int, siginfo_t*, void* context) {
  Worker* worker = Worker::running();
  if (!worker) return;
  Interrupts& own = worker->interrupts();
  if (own.blocks_at_last_tick_ != worker->blocks_begun()) {
    own.blocks_at_last_tick_ = worker->blocks_begun();
    return;
  }
  if (!worker->overdue) {
    // First a chance for whatever part of the runtime the kernel calls next: it knows the kernel's own place, whereas
    // the code interrupted here may be the first instructions of the runtime itself.
    worker->overdue = true;
    own.armed_seconds_ = kSecondsBetweenAttempts;
    set_period(own.timer_, kSecondsBetweenAttempts);
    return;
  }
  const uintptr_t code = interrupted_code(context);
  if (!worker->lane() || worker->busy || !worker->image_holds(code)) return;
  worker->interruption = {Interruption::Kind::overdue, code, 0};
  divert(context, 0);
}

void Interrupts::divert(void* context, uintptr_t stack) {
  mcontext_t& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
  constexpr uintptr_t kRedZone = 128;  // below the stack pointer, which x86-64 functions may use
#if defined(__x86_64__)
  if (stack == 0) stack = static_cast<uintptr_t>(machine.gregs[REG_RSP]) - kRedZone;
  // As after a call instruction: 8 bytes off a multiple of 16.
  machine.gregs[REG_RSP] = static_cast<greg_t>((stack & ~uintptr_t{15}) - sizeof(void*));
  machine.gregs[REG_RIP] = static_cast<greg_t>(reinterpret_cast<uintptr_t>(&Worker::interrupted));
#else
  if (stack == 0) stack = machine.sp - kRedZone;
  machine.sp = stack & ~uintptr_t{15};
  machine.pc = reinterpret_cast<uintptr_t>(&Worker::interrupted);
#endif
}

}  // namespace simt::runtime
